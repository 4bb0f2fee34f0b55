class Flashdex < Formula
  desc "Measure how fast SD, microSD, CF, USB and eMMC flash modules really are"
  # There is no public site or repository yet: this line is the only place of its address.
  homepage "https://flashdex.example"
  url "#{homepage}/source/flashdex-0.1.0.tar.gz"
  # brew fetch prints the sum of the first release. Zeros match no file.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "go" => :build
  # It uses direct I/O and the kernel's counters of block devices.
  depends_on :linux

  def install
    # A static program runs on every host, whichever C library its system has.
    ENV["CGO_ENABLED"] = "0"

    # HTTP/2 would be a tenth of the size and is no use for an upload.
    ldflags = "-s -w -X main.version=#{version}"
    system "go", "build", *std_go_args(ldflags:, tags: "nethttpomithttp2"), "./client"

    man1.install "packaging/flashdex.1"
    bash_completion.install "packaging/completions/flashdex.bash" => "flashdex"
    zsh_completion.install "packaging/completions/_flashdex"
    fish_completion.install "packaging/completions/flashdex.fish"
  end

  test do
    assert_match "flashdex #{version} ", shell_output("#{bin}/flashdex version")

    # A machine that tests has no card, but reads what hdparm printed about one.
    (testpath/"hdparm.txt").write <<~TEXT

      /dev/sda:
       Timing buffered disk reads:  66 MB in  3.05 seconds =  21.61 MB/sec
    TEXT
    assert_match "holds 1 result", shell_output("#{bin}/flashdex import --dry-run hdparm.txt")

    # Memory is no module, and nothing is written to it.
    assert_match "is memory, not a module", shell_output("#{bin}/flashdex --no-upload /dev/shm 2>&1", 2)
  end
end
