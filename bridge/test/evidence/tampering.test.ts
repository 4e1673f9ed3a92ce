import { generateKeyPairSync, sign } from "node:crypto";
import {
	canonicalJson,
	hashOf,
	LedgerLine,
	methods,
	type Receipt,
	type ReceiptProblemCode,
	type RunId,
	signedText,
} from "@xworkmate/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../src/evidence/ledger-file.ts";
import { calls, EvidenceHome, type StoredEvidence } from "./evidence-home.ts";

let home: EvidenceHome;
let one: RunId;
let two: RunId;

beforeAll(async () => {
	home = await EvidenceHome.open(calls(2));
	one = await home.run("one");
	two = await home.run("two");
});

afterAll(async () => {
	await home[Symbol.asyncDispose]();
});

const eventOf = (n: number) =>
	`run = (SELECT id FROM run WHERE run_id = ?) AND seq = (SELECT seq FROM receipt WHERE receipt.run = event.run AND n = ${n})`;

/** Rewrites a run's receipts from the n-th on, with hashes that agree with each other, as someone would who knows how they are made. */
async function rewrite(copy: StoredEvidence, runId: RunId, from: number): Promise<void> {
	const { items } = await home.evidence.receipts.list({ runId, limit: 100 });
	const receipts: Receipt[] = [...items].reverse();
	let prevHash = receipts[from - 2]?.hash ?? receipts[0]?.prevHash ?? "";
	for (const receipt of receipts.slice(from - 1)) {
		const { hash: _hash, ...content } = { ...receipt, prevHash, ...(receipt.n === from ? { words: "Nothing of importance" } : {}) };
		prevHash = hashOf(content);
		copy.sql(
			`UPDATE event SET body = ? WHERE ${eventOf(receipt.n)}`,
			JSON.stringify({ type: "receipt", receipt: { ...content, hash: prevHash } }),
			runId,
		);
	}
}

/** A line signed with a key of its own, after the lines before it. */
function forge(lines: readonly string[], change: object, key = generateKeyPairSync("ed25519").privateKey): string {
	const last = lines.at(-1) ?? "";
	const { sig: _sig, ...rest } = { ...LedgerLine.parse(JSON.parse(last)), n: lines.length + 1, prev: sha256(last), ...change };
	return canonicalJson({ ...rest, sig: sign(null, Buffer.from(signedText({ ...rest, sig: "" })), key).toString("base64url") });
}

type Tampering = readonly [code: ReceiptProblemCode, run: () => RunId | undefined, n: number, tamper: (copy: StoredEvidence) => unknown];

const cases: readonly Tampering[] = [
	[
		"EDITED",
		() => one,
		2,
		(copy) => copy.sql(`UPDATE event SET body = replace(body, '"tool.call.started"', '"tool.call.denied"') WHERE ${eventOf(2)}`, one),
	],
	["EDITED", () => one, 4, (copy) => copy.sql(`UPDATE event SET body = substr(body, 2) WHERE ${eventOf(4)}`, one)],
	["MISSING", () => one, 3, (copy) => copy.sql(`DELETE FROM event WHERE ${eventOf(3)}`, one)],
	["MISSING", () => one, 2, (copy) => copy.sql("DELETE FROM receipt WHERE n = 2 AND run = (SELECT id FROM run WHERE run_id = ?)", one)],
	[
		"MOVED",
		() => two,
		6,
		(copy) => copy.sql(`UPDATE event SET body = (SELECT body FROM event WHERE ${eventOf(6)}) WHERE ${eventOf(6)}`, one, two),
	],
	["FORGED", () => two, 6, (copy) => rewrite(copy, two, 3)],
	["CUT", () => one, 5, (copy) => copy.sql("DELETE FROM receipt WHERE n = 6 AND run = (SELECT id FROM run WHERE run_id = ?)", one)],
	["CUT", () => one, 0, (copy) => copy.sql("DELETE FROM receipt WHERE run = (SELECT id FROM run WHERE run_id = ?)", one)],
	[
		"UNSEALED",
		() => two,
		6,
		async (copy) => {
			await copy.ledger((lines) => lines.slice(0, -1));
			copy.sql("UPDATE receipt_ledger SET n = 2, hash = ?", sha256((await home.ledgerText()).split("\n")[1] ?? ""));
		},
	],
	["LEDGER_BROKEN", () => undefined, 2, (copy) => copy.ledger((lines) => lines.with(1, "not a line"))],
	["LEDGER_CUT", () => undefined, 2, (copy) => copy.ledger((lines) => lines.slice(0, -1))],
	[
		"BAD_SIGNATURE",
		() => undefined,
		3,
		(copy) => copy.ledger((lines) => lines.with(2, (lines[2] ?? "").replace('"count":6', '"count":5'))),
	],
	[
		"UNKNOWN_KEY",
		() => undefined,
		4,
		(copy) =>
			copy.ledger((lines) => {
				const { privateKey, publicKey } = generateKeyPairSync("ed25519");
				const { x } = publicKey.export({ format: "jwk" });
				const key = { kind: "key", publicKey: x, runId: undefined, count: undefined, head: undefined };
				return [...lines, forge(lines, key, privateKey)];
			}),
	],
	[
		"REMOVED_UNSAID",
		() => one,
		6,
		(copy) => {
			copy.sql("DELETE FROM receipt WHERE run = (SELECT id FROM run WHERE run_id = ?)", one);
			copy.sql("DELETE FROM run_state WHERE run = (SELECT id FROM run WHERE run_id = ?)", one);
			copy.sql("DELETE FROM run WHERE run_id = ?", one);
		},
	],
];

describe("receipts that were changed behind the bridge's back", () => {
	it("[T1-22] an untouched copy is whole, for the bridge and for the offline verifier", async () => {
		await using copy = await home.copy();
		expect(await copy.findings()).toEqual({ bridge: [], offline: [], exitCode: 0 });
	});

	for (const [code, runOf, n, tamper] of cases) {
		it(`[T1-27] ${code} is named with run and number ${n} by the bridge and offline`, async () => {
			await using copy = await home.copy();
			await tamper(copy);
			const runId = runOf();
			const problem = { code, ...(runId === undefined ? {} : { runId }), n };
			const { bridge, offline, exitCode } = await copy.findings(home.evidence.ledger.publicKey);
			expect(bridge).toContainEqual(problem);
			expect(offline).toContainEqual(problem);
			expect(exitCode).toBe(1);
		});
	}

	it("an export whose whole ledger was made again with another key is not trusted", async () => {
		await using copy = await home.copy();
		const { publicKey } = generateKeyPairSync("ed25519");
		const { offline, exitCode } = await copy.findings(String(publicKey.export({ format: "jwk" }).x));
		expect(offline).toContainEqual({ code: "UNKNOWN_KEY", n: 1 });
		expect(exitCode).toBe(1);
	});
});

describe("a hash that was noted elsewhere", () => {
	it("is found whole and by its first 12 digits, in the chain of its run or of any", async () => {
		const { items } = await home.evidence.receipts.list({ runId: two, limit: 1 });
		const hash = String(items[0]?.hash);
		for (const head of [hash, hash.slice(0, 12), hash.slice(0, 40)]) {
			expect(await home.verify({ head })).toMatchObject({ ok: true, independence: "head_matched" });
			expect(await home.verify({ head, runId: two })).toMatchObject({ ok: true, independence: "head_matched" });
		}
	});

	it("is missed in the chain of another run, and only there", async () => {
		const { items } = await home.evidence.receipts.list({ runId: two, limit: 1 });
		const { problems } = await home.verify({ head: String(items[0]?.hash), runId: one });
		expect(problems).toEqual([{ code: "FORGED", runId: one, message: "The hash that you saved is not in this run's chain." }]);
	});

	it("is missed if its first digits are not those of any receipt, wherever else they are", async () => {
		const { items } = await home.evidence.receipts.list({ runId: two, limit: 1 });
		const hash = String(items[0]?.hash);
		for (const head of [hash.slice(1, 13), `${hash.slice(0, 12)}${hash[12] === "0" ? "1" : "0"}`]) {
			expect(await home.verify({ head })).toMatchObject({ ok: false, independence: "self_attested", problems: [{ code: "FORGED" }] });
		}
	});

	it("needs at least 12 digits", () => {
		const { params } = methods["xworkmate.receipts.verify"];
		const isTaken = (head: string) => params.safeParse({ head }).success;
		expect(["a".repeat(11), "a".repeat(12), "a".repeat(64), "a".repeat(65), "A".repeat(64)].map(isTaken)).toEqual([
			...[false, true, true, false, false],
		]);
	});
});
