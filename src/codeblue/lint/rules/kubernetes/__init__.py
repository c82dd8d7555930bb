"""What Kubernetes manifests get wrong."""
