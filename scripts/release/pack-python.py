"""Writes the wheel and the source archive of packages/client-python to a folder.

With the standard library alone, so that a release needs no download. The same sources give the same bytes.
"""
import base64
import gzip
import hashlib
import io
import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

package = Path(__file__).resolve().parent.parent / "packages" / "client-python"
target = Path(sys.argv[1])

project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
module = package / "src" / "unified_records"
found = re.search(r'^__version__ = "([^"]+)"$', (module / "__init__.py").read_text(), re.MULTILINE)
if not found:
    sys.exit(f"{module / '__init__.py'} has no __version__.")
version = found.group(1)
name = project["name"].replace("-", "_")
info = f"{name}-{version}.dist-info"

metadata = "\n".join(
    [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License: {project['license']['text']}",
        *(f"Project-URL: {label}, {url}" for label, url in project.get("urls", {}).items()),
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        "License-File: LICENSE",
        "",
        (package / "README.md").read_text(),
    ]
).encode()
tag = "Wheel-Version: 1.0\nGenerator: unified-records\nRoot-Is-Purelib: true\nTag: py3-none-any\n".encode()
license_text = (package / "LICENSE").read_bytes()
sources = sorted(path for path in module.rglob("*") if path.suffix == ".py" or path.name == "py.typed")


def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def write_wheel():
    files = {str(path.relative_to(package / "src")): path.read_bytes() for path in sources}
    files |= {f"{info}/METADATA": metadata, f"{info}/WHEEL": tag, f"{info}/LICENSE": license_text}
    lines = [f"{path},{digest(content)},{len(content)}" for path, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    with zipfile.ZipFile(target / f"{name}-{version}-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)  # of 1980, the first year that a zip file can have
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)


def write_source_archive():
    base = f"{name}-{version}"
    names = ["LICENSE", "README.md", "pyproject.toml", *(str(path.relative_to(package)) for path in sources)]
    files = {f"{base}/{path}": (package / path).read_bytes() for path in names}
    files[f"{base}/PKG-INFO"] = metadata
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    (target / f"{base}.tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))


write_wheel()
write_source_archive()
