#!/bin/sh
# Make .kubernetes/bin: API server, controllers and scheduler, built from the source package of the
# distribution with its own compiler; nothing else is downloaded. Takes a quarter of an hour on two cores.
# Needs: golang-go rsync dpkg-dev make, and a Debian whose package "kubernetes" has the whole source.
set -eu
target=${1:-.kubernetes}
programs=${PROGRAMS:-kube-apiserver kube-controller-manager kube-scheduler}
version=v1.20.2

missing=""
for program in $programs; do
    [ -x "$target/bin/$program" ] || missing="$missing $program"
done
[ -n "$missing" ] || exit 0

mkdir -p "$target/bin" "$target/apt/lists/partial"
target=$(cd "$target" && pwd)
cd "$target"
# A list of sources of our own: that of the machine stays as it is.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
    [ -f "$file" ] || continue
    case $file in
    *.sources) sed -e 's/^Types:.*/Types: deb-src/' "$file" >apt/source.sources ;;
    *) sed -n -e 's/^deb /deb-src /p' "$file" >apt/source.list ;;
    esac
done
list=apt/source.sources
[ -f "$list" ] || list=apt/source.list
set -- -o "Dir::Etc::sourcelist=$target/$list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$target/apt/lists" \
    -o APT::Sandbox::User=root
apt-get "$@" update -qq
apt-get "$@" source -qq --download-only kubernetes
rm -rf source
dpkg-source --no-check -x kubernetes_*.dsc source >/dev/null

cat >version <<END
KUBE_GIT_COMMIT='unknown'
KUBE_GIT_TREE_STATE='clean'
KUBE_GIT_VERSION='$version'
KUBE_GIT_MAJOR='1'
KUBE_GIT_MINOR='20'
END
cd source
mkdir -p .go/src/k8s.io
ln -sfn ../../.. .go/src/k8s.io/kubernetes
export GOPATH="$PWD/.go" HOME="$target" GOPROXY=off GO111MODULE=off KUBE_GIT_VERSION_FILE="$target/version"
# Without the libraries of the cloud providers, which take longer than all the rest.
export GOFLAGS=-tags=providerless
make generated_files >/dev/null
for program in $missing; do
    make WHAT="cmd/$program" >/dev/null
    cp "_output/bin/$program" "$target/bin/"
done
cd "$target"
rm -rf source kubernetes_* apt
