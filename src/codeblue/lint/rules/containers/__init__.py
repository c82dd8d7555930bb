"""What Dockerfiles, Compose files and ``docker run`` get wrong."""
