import { expect, it } from "vitest";
import { formatBytes, formatExcess } from "../src/index.ts";

it("a size and the limit that it exceeds never read the same", () => {
	const limit = 10 * 1024 * 1024;
	expect([formatBytes(limit + 1), formatBytes(limit)]).toEqual(["10.5 MB", "10.5 MB"]);
	expect(formatExcess(limit + 1, limit)).toEqual(["10485761 bytes", "10485760 bytes"]);
	expect(formatExcess(2 * limit, limit)).toEqual(["21 MB", "10.5 MB"]);
	// Without an excess there is nothing to tell apart.
	expect(formatExcess(limit, limit)).toEqual(["10.5 MB", "10.5 MB"]);
});
