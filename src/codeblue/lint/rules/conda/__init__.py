"""What conda's files ask of channels that these do not have."""
