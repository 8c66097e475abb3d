#!/bin/sh
# Makes the channel, joins the orderer and both peers, and commits the chaincode. Each step is left out where it is done.
# STATE holds crypto/, chaincode/, configtx.yaml and core.yaml; WORK is where the channel's first block is kept.
set -eu

CHANNEL=scorecards
CHAINCODE=glassbox
VERSION=1.0
SEQUENCE=1
STATE=${STATE:-/state}
WORK=${WORK:-/var/glassbox}
BLOCK=$WORK/$CHANNEL.block
ORDERER=orderer0.orderer.glassbox.test
ORDERER_TLS=$STATE/crypto/ordererOrganizations/orderer.glassbox.test/orderers/$ORDERER/tls
export FABRIC_CFG_PATH=$STATE

say() { echo "setup: $*"; }

# retry SECONDS COMMAND...: until it succeeds; its last error is shown where it never does.
retry() {
  left=$1
  shift
  until "$@" >"$WORK/last.log" 2>&1; do
    left=$((left - 1))
    if [ "$left" -le 0 ]; then
      cat "$WORK/last.log" >&2
      return 1
    fi
    sleep 1
  done
}

# as ORGANISATION: the following peer commands are those of its administrator.
as() {
  case $1 in
    evaluator) CORE_PEER_LOCALMSPID=EvaluatorMSP port=7051 ;;
    auditor) CORE_PEER_LOCALMSPID=AuditorMSP port=9051 ;;
  esac
  domain=$1.glassbox.test
  folder=$STATE/crypto/peerOrganizations/$domain
  CORE_PEER_ADDRESS=peer0.$domain:$port
  CORE_PEER_TLS_ENABLED=true
  CORE_PEER_TLS_ROOTCERT_FILE=$folder/peers/peer0.$domain/tls/ca.crt
  CORE_PEER_MSPCONFIGPATH=$folder/users/Admin@$domain/msp
  export CORE_PEER_LOCALMSPID CORE_PEER_ADDRESS CORE_PEER_TLS_ENABLED CORE_PEER_TLS_ROOTCERT_FILE CORE_PEER_MSPCONFIGPATH
}

osn() {
  osnadmin channel "$@" -o "$ORDERER:7053" --ca-file "$ORDERER_TLS/ca.crt" \
    --client-cert "$ORDERER_TLS/server.crt" --client-key "$ORDERER_TLS/server.key"
}

ordered() {
  peer "$@" -o "$ORDERER:7050" --tls --cafile "$ORDERER_TLS/ca.crt"
}

orderer_has_channel() { osn list | grep -q "\"name\": \"$CHANNEL\""; }
peer_has_channel() { peer channel list | grep -qx "$CHANNEL"; }
definition() { peer lifecycle chaincode querycommitted --channelID "$CHANNEL" --name "$CHAINCODE"; }

if [ ! -f "$BLOCK" ]; then
  configtxgen -profile GlassBox -channelID "$CHANNEL" -outputBlock "$BLOCK.new"
  mv "$BLOCK.new" "$BLOCK"
fi

retry 60 osn list
if ! orderer_has_channel; then
  osn join --channelID "$CHANNEL" --config-block "$BLOCK"
  say "the orderer has joined $CHANNEL"
fi

for organisation in evaluator auditor; do
  as "$organisation"
  retry 60 peer channel list
  if ! peer_has_channel; then
    peer channel join -b "$BLOCK"
    say "the peer of $organisation has joined $CHANNEL"
  fi
done

as evaluator
if definition >/dev/null 2>&1; then
  say "$CHAINCODE is committed already"
  exit 0
fi
retry 60 ordered channel fetch newest "$WORK/newest.block" -c "$CHANNEL"

for organisation in evaluator auditor; do
  as "$organisation"
  case $organisation in
    evaluator) id=$CHAINCODE_ID_EVALUATOR ;;
    auditor) id=$CHAINCODE_ID_AUDITOR ;;
  esac
  if ! peer lifecycle chaincode queryinstalled | grep -q "$id"; then
    peer lifecycle chaincode install "$STATE/chaincode/$organisation/package.tgz"
  fi
  ordered lifecycle chaincode approveformyorg --channelID "$CHANNEL" --name "$CHAINCODE" \
    --version "$VERSION" --sequence "$SEQUENCE" --package-id "$id"
  say "$organisation has approved $id"
done

as evaluator
PEERS=$STATE/crypto/peerOrganizations
ordered lifecycle chaincode commit --channelID "$CHANNEL" --name "$CHAINCODE" --version "$VERSION" --sequence "$SEQUENCE" \
  --peerAddresses peer0.evaluator.glassbox.test:7051 \
  --tlsRootCertFiles "$PEERS/evaluator.glassbox.test/peers/peer0.evaluator.glassbox.test/tls/ca.crt" \
  --peerAddresses peer0.auditor.glassbox.test:9051 \
  --tlsRootCertFiles "$PEERS/auditor.glassbox.test/peers/peer0.auditor.glassbox.test/tls/ca.crt"
definition
say "ready"
