package guest

import (
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// checkPayload compares the document from a computer with a card slot with the known facts about both.
func checkPayload(t *testing.T, got outcome, board, platform string) {
	t.Helper()
	card := got.doc.Identity.SD
	if got.doc.Identity.Bus != "sd" || card == nil {
		t.Fatalf("identity: %+v; want an SD card", got.doc.Identity)
	}
	// QEMU's card is aa585951454d552101deadbeef0062 and a checksum. Hosts treat the checksum in different ways.
	want := result.Register{
		CID: "aa585951454d552101" + "00000000" + "0062" + "00", Name: "QEMU!", OEMID: "0x5859", Manfid: "0x0000aa",
		Date: "02/2006",
	}
	seen := result.Register{CID: card.CID, Name: card.Name, OEMID: card.OEMID, Manfid: card.Manfid, Date: card.Date}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("the card (-want +got):\n%s", diff)
	}
	if got.doc.Identity.SizeBytes != imageBytes {
		t.Errorf("%d bytes, want %d", got.doc.Identity.SizeBytes, imageBytes)
	}
	if got.doc.Host.Board != board {
		t.Errorf("board %q, want %q", got.doc.Host.Board, board)
	}
	if got.doc.Host.CommandQueue != result.QueueOff {
		t.Errorf("command queue %q, though the kernel shows that QEMU's card has none", got.doc.Host.CommandQueue)
	}
	if got.doc.Client.Platform != "linux/"+platform {
		t.Errorf("platform %q, want linux/%s", got.doc.Client.Platform, platform)
	}
	if len(got.doc.UnitTag) != 32 {
		t.Errorf("unit tag %q, want 32 digits", got.doc.UnitTag)
	}
}
