import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Attachment, limits } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { placeAttachments } from "../../../src/artifacts/workspace/place-attachments.ts";
import { removeInputs, storeAttachments, sweepInputs } from "../../../src/artifacts/workspace/store-attachments.ts";
import { RUN, sha256 } from "../artifact-store-fixture.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

function attachment(name: string, content: string | Uint8Array, wrong: Partial<Attachment> = {}): Attachment {
	const bytes = Buffer.from(content);
	return {
		name,
		mediaType: "text/plain",
		sizeBytes: bytes.length,
		sha256: sha256(bytes),
		base64: bytes.toString("base64"),
		...wrong,
	};
}

async function ground() {
	const directory = await temporaryDirectory();
	const [home, workingDirectory] = [join(directory.path, "home"), join(directory.path, "work")];
	for (const path of [home, workingDirectory]) mkdirSync(path);
	return {
		home,
		workingDirectory,
		inputs: join(home, "bridge", "inputs", RUN),
		[Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
	};
}

describe("storing attachments", () => {
	it("writes the bytes and returns what the intent keeps", async () => {
		await using place = await ground();
		const sent = [Attachment.parse(attachment("notes.txt", "hello")), Attachment.parse(attachment("empty", ""))];
		expect(await storeAttachments(place.home, RUN, sent)).toEqual(sent.map(({ base64, ...stored }) => stored));
		expect(readFileSync(join(place.inputs, "notes.txt"), "utf8")).toBe("hello");
		expect(readdirSync(place.inputs).sort()).toEqual(["empty", "notes.txt"]);
		expect(statSync(join(place.inputs, "empty")).mode & 0o777).toBe(0o600);
		await removeInputs(place.home, RUN);
		expect(existsSync(place.inputs)).toBe(false);
		await removeInputs(place.home, RUN);
	});

	it("writes nothing for a turn without any", async () => {
		await using place = await ground();
		expect(await storeAttachments(place.home, RUN, [])).toEqual([]);
		expect(readdirSync(place.home)).toEqual([]);
	});

	it.each([
		["sizeBytes", attachment("b", "hello", { sizeBytes: 4 })],
		["sha256", attachment("b", "hello", { sha256: sha256("other") })],
		["base64", attachment("b", "hello", { base64: "aGVsbG9=" })],
		["name", attachment("A.TXT", "hello")],
	])("refuses a wrong %s by its path, and keeps nothing of the turn", async (field, wrong) => {
		await using place = await ground();
		await expect(storeAttachments(place.home, RUN, [attachment("a.txt", "x"), wrong])).rejects.toMatchObject({
			code: "INVALID_PARAMS",
			detail: expect.stringMatching(new RegExp(`^attachments\\[1\\]\\.${field}: `)),
		});
		expect(readdirSync(place.home)).toEqual([]);
	});

	it("refuses what is too large, one by one and together", async () => {
		await using place = await ground();
		const one = attachment("a", "x", { sizeBytes: limits.attachmentBytes + 1 });
		await expect(storeAttachments(place.home, RUN, [one])).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
		const bytes = new Uint8Array(9 * 1024 ** 2);
		const many = ["a", "b", "c"].map((name) => attachment(name, bytes));
		await expect(storeAttachments(place.home, RUN, many)).rejects.toMatchObject({
			code: "PAYLOAD_TOO_LARGE",
			detail: expect.stringMatching(/^attachments: /),
		});
		expect(readdirSync(place.home)).toEqual([]);
	});

	it("sweeps what runs left that are over or were never accepted", async () => {
		await using place = await ground();
		await sweepInputs(place.home, new Set());
		await storeAttachments(place.home, RUN, [attachment("a", "x")]);
		mkdirSync(join(place.home, "bridge", "inputs", "run-0"));
		await sweepInputs(place.home, new Set([RUN]));
		expect(readdirSync(join(place.home, "bridge", "inputs"))).toEqual([RUN]);
	});
});

describe("placing attachments", () => {
	it("copies them where the agent works, hash-checked, again after an earlier attempt", async () => {
		await using place = await ground();
		const large = new Uint8Array(700_000).fill(7);
		const attachments = await storeAttachments(place.home, RUN, [attachment("a.txt", "hello"), attachment("large.bin", large)]);
		const folder = join(place.workingDirectory, ".xworkmate", "attachments", RUN);
		for (let attempt = 0; attempt < 2; attempt++) {
			expect(await placeAttachments({ ...place, runId: RUN, attachments })).toEqual([
				{ path: join(folder, "a.txt"), name: "a.txt", mediaType: "text/plain" },
				{ path: join(folder, "large.bin"), name: "large.bin", mediaType: "text/plain" },
			]);
			expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("hello");
			expect(sha256(readFileSync(join(folder, "large.bin")))).toBe(sha256(large));
			writeFileSync(join(folder, "half.txt"), "left over");
		}
		expect(await placeAttachments({ ...place, runId: RUN, attachments: [] })).toEqual([]);
	});

	it("refuses stored bytes that were changed or lost, and a link in their place", async () => {
		await using place = await ground();
		const attachments = await storeAttachments(place.home, RUN, [attachment("a.txt", "hello")]);
		writeFileSync(join(place.inputs, "a.txt"), "jello");
		await expect(placeAttachments({ ...place, runId: RUN, attachments })).rejects.toMatchObject({ code: "INPUT_DAMAGED" });
		rmSync(join(place.inputs, "a.txt"));
		writeFileSync(join(place.home, "elsewhere.txt"), "hello");
		symlinkSync(join(place.home, "elsewhere.txt"), join(place.inputs, "a.txt"));
		await expect(placeAttachments({ ...place, runId: RUN, attachments })).rejects.toMatchObject({ code: "INPUT_DAMAGED" });
		await removeInputs(place.home, RUN);
		await expect(placeAttachments({ ...place, runId: RUN, attachments })).rejects.toMatchObject({ code: "INPUT_DAMAGED" });
	});

	it("refuses names that one disk could not hold side by side, and a link on the way", async () => {
		await using place = await ground();
		const attachments = await storeAttachments(place.home, RUN, [attachment("a.txt", "hello")]);
		const twice = attachments.flatMap((one) => [one, { ...one, name: "A.TXT" }]);
		await expect(placeAttachments({ ...place, runId: RUN, attachments: twice })).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
		mkdirSync(join(place.workingDirectory, ".xworkmate"));
		mkdirSync(join(place.home, RUN));
		writeFileSync(join(place.home, RUN, "keep.txt"), "x");
		symlinkSync(place.home, join(place.workingDirectory, ".xworkmate", "attachments"));
		await expect(placeAttachments({ ...place, runId: RUN, attachments })).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
		expect(readdirSync(join(place.home, RUN))).toEqual(["keep.txt"]);
	});
});
