"""What Ansible playbooks and roles get wrong."""
