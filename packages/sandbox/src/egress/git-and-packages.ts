/** What `git+pkg` means: where public repositories and the packages of the usual languages come from. */
export const GIT_AND_PACKAGES: readonly string[] = [
  // git
  "github.com",
  "codeload.github.com",
  "objects.githubusercontent.com",
  "release-assets.githubusercontent.com",
  "gitlab.com",
  "bitbucket.org",
  "codeberg.org",
  "git.sr.ht",
  // JavaScript
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "npm.jsr.io",
  "jsr.io",
  "nodejs.org",
  // Python
  "pypi.org",
  "files.pythonhosted.org",
  // Rust
  "crates.io",
  "index.crates.io",
  "static.crates.io",
  "static.rust-lang.org",
  // Go
  "proxy.golang.org",
  "sum.golang.org",
  // Ruby
  "rubygems.org",
  "index.rubygems.org",
  // Java
  "repo.maven.apache.org",
  "repo1.maven.org",
  // Linux
  "deb.debian.org",
  "security.debian.org",
  "archive.ubuntu.com",
  "security.ubuntu.com",
  "ports.ubuntu.com",
  "dl-cdn.alpinelinux.org",
];
