import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LedgerLine, RunId, verifyLedger } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LEDGER_FILE, LedgerFile, sha256 } from "../../src/evidence/ledger-file.ts";
import { signatureCheck } from "../../src/evidence/ledger-key.ts";

const AT = "2026-11-23T10:00:00.000Z";
const full = () => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
const broken = () => Object.assign(new Error("EIO: i/o error, ftruncate"), { code: "EIO" });

const final = (runId: string) => ({ at: AT, kind: "final" as const, runId: RunId.parse(runId), count: 3, head: "a".repeat(64) });

afterEach(() => vi.restoreAllMocks());

/** A ledger in a folder of its own, and its file's real handle, whose calls can be made to fail. */
async function openLedger() {
	const home = await mkdtemp(join(tmpdir(), "ledger "));
	const folder = join(home, "receipts");
	const { ledger } = await LedgerFile.open(folder, undefined, AT);
	const any = await open(join(home, "any"), "w");
	const handles: { datasync(): Promise<void>; truncate(length: number): Promise<void> } = Object.getPrototypeOf(any);
	await any.close();
	return {
		folder,
		ledger,
		handles,
		/** What a verifier finds in the file, and what its lines are about. */
		found: async () => {
			const lines = (await readFile(join(folder, LEDGER_FILE), "utf8")).trimEnd().split("\n");
			const signatures = { sha256, isSigned: signatureCheck() };
			const { problems } = verifyLedger(lines, ledger.publicKey, signatures, ledger.end);
			return { problems, about: lines.map((line) => LedgerLine.parse(JSON.parse(line))).map(({ kind, runId }) => runId ?? kind) };
		},
		[Symbol.asyncDispose]: async () => {
			await ledger.close();
			await rm(home, { recursive: true, force: true });
		},
	};
}

describe("a line of the ledger that could not be made durable", () => {
	it("is cut off before the next line, if it could not be cut off at once", async () => {
		await using home = await openLedger();
		vi.spyOn(home.handles, "datasync").mockRejectedValueOnce(full());
		vi.spyOn(home.handles, "truncate").mockRejectedValueOnce(broken());
		await expect(home.ledger.append([final("run-1")])).rejects.toThrow("ENOSPC");
		await home.ledger.append([final("run-2")]);
		expect(await home.found()).toEqual({ problems: [], about: ["key", "run-2"] });
		await home.ledger.append([final("run-1")]);
		expect(await home.found()).toEqual({ problems: [], about: ["key", "run-2", "run-1"] });
		await home.ledger.close();
		const again = await LedgerFile.open(home.folder, home.ledger.end, AT);
		await again.ledger.close();
		expect(again.fault).toBeUndefined();
	});

	it("keeps others out of the ledger while it can't be cut off", async () => {
		await using home = await openLedger();
		vi.spyOn(home.handles, "datasync").mockRejectedValueOnce(full());
		vi.spyOn(home.handles, "truncate").mockRejectedValueOnce(broken()).mockRejectedValueOnce(broken());
		await expect(home.ledger.append([final("run-1")])).rejects.toThrow("ENOSPC");
		await expect(home.ledger.append([final("run-2")])).rejects.toThrow("EIO");
		await home.ledger.append([final("run-3")]);
		expect(await home.found()).toEqual({ problems: [], about: ["key", "run-3"] });
	});
});
