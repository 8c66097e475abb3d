"""The whole deployment on this machine: an AWS emulator and a Fabric network in place of AWS and a consortium's."""
