import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RequestId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { ChannelTests } from "../../src/channels/set-up/channel-tests.ts";

it("a test still counts if it began after the channel refused a message, and not otherwise", () => {
	const home = mkdtempSync(join(tmpdir(), "channels-"));
	try {
		const tests = new ChannelTests(home);
		const requestId = RequestId.parse("r1");
		const at = "2026-04-01T10:00:00.000Z";
		tests.begin({ requestId, channel: "email", at }, "");
		tests.end(requestId, { ok: true, steps: [], tookMs: 1 });
		tests.outdate("email", "2026-04-01T09:59:00.000Z");
		expect(tests.newest("email", "")?.at).toBe(at);
		tests.outdate("email", "2026-04-01T10:01:00.000Z");
		expect(tests.newest("email", "")).toBeUndefined();
	} finally {
		rmSync(home, { recursive: true });
	}
});
