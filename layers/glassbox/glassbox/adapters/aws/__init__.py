"""The ports on AWS: documents in S3, records in DynamoDB, secrets in Secrets Manager, keys in KMS."""
