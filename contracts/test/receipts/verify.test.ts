import { generateKeyPairSync, sign, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	canonicalJson,
	chained,
	emptyChain,
	firstPrev,
	hashOf,
	LedgerLine,
	type Receipt,
	type ReceiptDraft,
	RunId,
	signedText,
	verifyLedger,
	verifyRun,
} from "../../src/index.ts";
import { sha256Of } from "../../src/receipts/receipt-chain.ts";

const runId = RunId.parse("run-1");
const AT = "2026-11-23T10:00:00.000Z";
const noSeal = { heads: [], isRemoved: false };

function chainOf(count: number, of = runId): Receipt[] {
	let head = emptyChain(of);
	return Array.from({ length: count }, (_, index) => {
		const draft: ReceiptDraft = { type: "tool.call.requested", origin: "executed", toolCallId: `call-${index + 1}` };
		const receipt = chained(of, head, AT, draft);
		head = { count: receipt.n, hash: receipt.hash };
		return receipt;
	});
}

const finalOf = (receipts: readonly Receipt[]) => ({ count: receipts.length, head: receipts.at(-1)?.hash ?? "" });

describe("the chain of a run's receipts", () => {
	it("is whole as it was written", () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 40 }), (count) => {
				const receipts = chainOf(count);
				const final = finalOf(receipts);
				expect(verifyRun(receipts, runId, count === 0 ? noSeal : { heads: [], final, isRemoved: false }, true)).toEqual([]);
			}),
		);
	});

	it("[T1-27] [T1-61] whatever is done to one receipt of a sealed run is noticed", () => {
		const other = chainOf(12, RunId.parse("run-2"));
		const receipts = chainOf(12);
		const seal = { heads: [finalOf(receipts.slice(0, 5))], final: finalOf(receipts), isRemoved: false };
		const change = fc.constantFrom("edit", "edit and hash", "drop", "swap", "repeat", "foreign", "rewrite");
		fc.assert(
			fc.property(change, fc.integer({ min: 0, max: 11 }), fc.integer({ min: 0, max: 11 }), (how, at, with_) => {
				const changed: unknown[] = [...receipts];
				const { hash: _hash, ...content } = { ...receipts[at], words: "something else" };
				const [one, two] = [receipts[at], receipts[with_]];
				if (how === "edit") changed[at] = { ...receipts[at], words: "something else" };
				if (how === "edit and hash") changed[at] = { ...content, hash: hashOf(content) };
				if (how === "drop") changed.splice(at, 1);
				if (how === "swap") [changed[at], changed[with_]] = [two, one];
				if (how === "repeat") changed.splice(at, 0, receipts[at]);
				if (how === "foreign") changed[at] = other[at];
				if (how === "rewrite") changed.splice(at, 12, ...rewritten(receipts, at));
				if (how === "swap" && at === with_) return;
				expect(verifyRun(changed, runId, seal, true)).not.toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});

	it("without the ledger a cut tail would pass; with it, it does not", () => {
		const receipts = chainOf(6);
		const seal = { heads: [], final: finalOf(receipts), isRemoved: false };
		expect(verifyRun(receipts.slice(0, 4), runId, noSeal, false)).toEqual([]);
		expect(verifyRun(receipts.slice(0, 4), runId, seal, true)).toMatchObject([{ code: "CUT", runId, n: 4 }]);
		expect(verifyRun([], runId, seal, true)).toEqual([
			{ code: "CUT", runId, n: 0, message: "All receipts were cut off: the ledger has recorded 6." },
		]);
	});

	it("what is added behind the end of a sealed run is forged", () => {
		const receipts = chainOf(6);
		const seal = { heads: [], final: finalOf(receipts.slice(0, 5)), isRemoved: false };
		expect(verifyRun(receipts, runId, seal, true)).toMatchObject([{ code: "FORGED", n: 6 }]);
	});
});

function rewritten(receipts: readonly Receipt[], from: number): Receipt[] {
	let prevHash = receipts[from]?.prevHash ?? "";
	return receipts.slice(from).map((receipt, index) => {
		const { hash: _hash, ...content } = { ...receipt, prevHash, ...(index === 0 ? { words: "other" } : {}) };
		prevHash = hashOf(content);
		return { ...content, hash: prevHash };
	});
}

function key() {
	const { privateKey, publicKey } = generateKeyPairSync("ed25519");
	return { privateKey, raw: String(publicKey.export({ format: "jwk" }).x), publicKey };
}

describe("the ledger", () => {
	const [one, two, thief] = [key(), key(), key()];
	const known = new Map([one, two, thief].map(({ raw, publicKey }) => [raw, publicKey]));
	const isSigned = (raw: string, text: string, signature: string) => {
		const publicKey = known.get(raw);
		return publicKey !== undefined && verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64url"));
	};
	const line = (lines: readonly string[], signer: ReturnType<typeof key>, says: Partial<LedgerLine>) => {
		const last = lines.at(-1);
		const unsigned = LedgerLine.parse({
			n: lines.length + 1,
			at: AT,
			kind: "head",
			prev: last === undefined ? firstPrev : sha256Of(last),
			sig: "",
			...says,
		});
		const sig = sign(null, Buffer.from(signedText(unsigned)), signer.privateKey).toString("base64url");
		return [...lines, canonicalJson({ ...unsigned, sig })];
	};
	const head = { kind: "head", runId, count: 1, head: "a".repeat(64) } as const;
	const begun = line([], one, { kind: "key", publicKey: one.raw });
	const honest = line(line(begun, one, head), one, { ...head, kind: "final" });
	const codes = (lines: readonly string[], trusted: string) =>
		verifyLedger(lines, trusted, { isSigned }).problems.map(({ code, n }) => [code, n]);

	it("is whole as it was written, and says what it has seen of each run", () => {
		const { problems, runs } = verifyLedger(honest, one.raw, { isSigned });
		expect(problems).toEqual([]);
		expect(runs.get(runId)).toEqual({ heads: [{ count: 1, head: head.head }], final: { count: 1, head: head.head }, isRemoved: false });
	});

	it("goes on with a key that the key before has signed, whichever of the two is trusted", () => {
		const next = line(line(honest, one, { kind: "key", publicKey: two.raw }), two, head);
		expect(codes(next, one.raw)).toEqual([]);
		expect(codes(next, two.raw)).toEqual([]);
	});

	it("a key that only names itself is not trusted, nor is a ledger that only names the trusted key", () => {
		expect(codes(line(honest, thief, { kind: "key", publicKey: thief.raw }), one.raw)).toEqual([["UNKNOWN_KEY", 4]]);
		const stolen = line(line([], thief, { kind: "key", publicKey: thief.raw }), thief, { kind: "key", publicKey: one.raw });
		expect(codes(stolen, one.raw)).toEqual([["UNKNOWN_KEY", 1]]);
		expect(codes(honest, thief.raw)).toEqual([["UNKNOWN_KEY", 1]]);
	});

	it("a line by anybody else counts for nothing", () => {
		const forged = line(honest, thief, { kind: "removed", runId, count: 1, head: head.head });
		expect(codes(forged, one.raw)).toEqual([["BAD_SIGNATURE", 4]]);
		expect(verifyLedger(forged, one.raw, { isSigned }).runs.get(runId)?.isRemoved).toBe(false);
	});

	it("a line that is missing, changed or not one is named by its number", () => {
		expect(codes(honest.toSpliced(1, 1), one.raw)).toEqual([["LEDGER_CUT", 1]]);
		expect(codes(honest.with(1, "{}"), one.raw)).toEqual([
			["LEDGER_BROKEN", 2],
			["LEDGER_BROKEN", 3],
		]);
		const end = { n: 3, hash: sha256Of(honest[2] ?? "") };
		expect(verifyLedger(honest, one.raw, { isSigned }, end).problems).toEqual([]);
		const cut = (lines: readonly string[]) =>
			verifyLedger(lines, one.raw, { isSigned }, end).problems.filter(({ code }) => code === "LEDGER_CUT");
		const said = "but the database has a record of line 3.";
		expect(cut(honest.slice(0, 2))).toEqual([{ code: "LEDGER_CUT", n: 2, message: `The ledger ends with line 2, ${said}` }]);
		expect(cut([])).toEqual([{ code: "LEDGER_CUT", n: 0, message: `The ledger is empty, ${said}` }]);
		expect(verifyLedger(honest, one.raw, { isSigned }, { n: 3, hash: "b".repeat(64) }).problems).toMatchObject([
			{ code: "LEDGER_BROKEN", n: 3 },
		]);
	});
});
