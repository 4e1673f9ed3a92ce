// Checks an export of receipts against a public key that you noted before. Needs Node and nothing else, and trusts nothing in the export.
//
//   npm run -s xworkmate -- receipts export | node examples/verify-receipts/verify.mjs --key=KEY
//
// KEY is the public key of the bridge's ledger: base64url, PEM, or a file that holds either. Exit code: 0 everything is intact, 1 there is a
// problem, 2 the command is wrong. One line for each problem: CODE, run, number, what it means.
import { createHash, createPublicKey, verify } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const MAX_DEPTH = 1_000;
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const problems = [];
/** `of`: a run or a plan, as "run ID" or "plan ID"; undefined: the ledger. */
const note = (code, of, n, message) => problems.push({ code, ...ownerOf(of), n, message });

function ownerOf(of) {
	if (of === undefined) return {};
	return of.startsWith("plan ") ? { planId: of.slice(5) } : { runId: of.slice(4) };
}

/** Whose receipts a line is about; undefined: nobody's. */
function nameOf({ runId, planId }) {
	if (planId !== undefined) return `plan ${planId}`;
	return runId === undefined ? undefined : `run ${runId}`;
}

/** RFC 8785, for values that JSON.parse gives. */
function canonical(value, depth = MAX_DEPTH) {
	if (typeof value === "string" && !value.isWellFormed()) throw new TypeError("lone surrogate");
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	if (depth === 0) throw new TypeError("too deep");
	if (Array.isArray(value)) return `[${value.map((element) => canonical(element, depth - 1)).join(",")}]`;
	const keys = Object.keys(value).sort();
	return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key], depth - 1)}`).join(",")}}`;
}

function canonicalHash(value) {
	try {
		return sha256(canonical(value));
	} catch {
		return undefined;
	}
}

function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The raw public key, base64url. */
function rawKey(given) {
	const text = (existsSync(given) ? readFileSync(given, "utf8") : given).trim();
	return text.startsWith("-----") ? createPublicKey(text).export({ format: "jwk" }).x : text;
}

function isSigned(publicKey, line) {
	const { sig, ...rest } = line;
	try {
		const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
		return verify(null, Buffer.from(canonical(rest)), key, Buffer.from(String(sig), "base64url"));
	} catch {
		return false;
	}
}

/** The hashes of the receipts of each run and each plan, by number; what is wrong inside one is noted on the way. */
const runs = new Map();

function takeReceipt(run, receipt) {
	const { of, last } = run;
	const next = last.n + 1;
	run.receipts++;
	if (receipt === undefined) {
		run.last = { n: next, hash: "", isWhole: false };
		return note("MISSING", of, next, `Receipt ${next} is missing.`);
	}
	const { hash, ...content } = receipt ?? {};
	const isWhole = canonicalHash(content) === hash;
	const n = isWhole ? content.n : next;
	if (isWhole && (nameOf(content) !== of || !(n > last.n))) {
		return note("MOVED", of, next, `Receipt ${next} was replaced with one from elsewhere.`);
	}
	run.last = { n, hash: String(hash), isWhole };
	run.hashes.set(n, String(hash));
	if (!isWhole) note("EDITED", of, n, `Receipt ${n} was changed after it was written.`);
	if (n > next) note("MISSING", of, next, next === n - 1 ? `Receipt ${next} is missing.` : `Receipts ${next} to ${n - 1} are missing.`);
	else if (isWhole && last.isWhole && content.prevHash !== last.hash) {
		note("EDITED", of, Math.max(last.n, 1), `Receipt ${Math.max(last.n, 1)} was changed after it was written.`);
	}
}

const ledger = { n: 0, hash: sha256("xworkmate.ledger.v1"), key: undefined, trusted: 0, runs: new Map() };

function takeLine(text, trusted) {
	const next = ledger.n + 1;
	const prev = ledger.hash;
	ledger.hash = sha256(text);
	const line = parse(text);
	if (typeof line !== "object" || line === null || !Number.isSafeInteger(line.n) || line.n < 1) {
		ledger.n = next;
		return note("LEDGER_BROKEN", undefined, next, `Line ${next} of the ledger is not valid.`);
	}
	ledger.n = line.n;
	if (line.n > next) {
		const missing =
			next === line.n - 1 ? `Line ${next} of the ledger is missing.` : `Lines ${next} to ${line.n - 1} of the ledger are missing.`;
		note("LEDGER_CUT", undefined, next - 1, missing);
	} else if (line.n < next || line.prev !== prev) {
		note("LEDGER_BROKEN", undefined, line.n, `Line ${line.n} of the ledger does not follow the line before it.`);
	}
	const before = ledger.key;
	if (before !== undefined && isSigned(before, line)) {
		if (before === trusted) ledger.trusted++;
		if (line.kind === "key") ledger.key = line.publicKey;
	} else if (line.kind === "key" && isSigned(line.publicKey, line)) {
		ledger.key = line.publicKey;
		if (line.publicKey === trusted) ledger.trusted++;
		if (before !== undefined)
			note("UNKNOWN_KEY", undefined, line.n, `From line ${line.n} on, the ledger uses a key that the previous key did not sign.`);
	} else return note("BAD_SIGNATURE", undefined, line.n, `Line ${line.n} of the ledger is not signed correctly.`);
	const of = nameOf(line);
	if (of === undefined) return;
	const said = ledger.runs.get(of) ?? { heads: [], final: undefined, isRemoved: false };
	ledger.runs.set(of, said);
	if (line.kind === "removed") said.isRemoved = true;
	else said.heads.push({ count: line.count, head: line.head });
	if (line.kind === "final") said.final = line.count;
}

function compare({ of, isOver, last, hashes }) {
	const { heads, final, isRemoved } = ledger.runs.get(of) ?? { heads: [], isRemoved: false };
	const wrong = heads.find(({ count, head }) => hashes.has(count) && hashes.get(count) !== head);
	const seen = Math.max(0, ...heads.map(({ count }) => count));
	const forged = wrong?.count ?? (final !== undefined && last.n > final ? final + 1 : undefined);
	if (forged !== undefined) note("FORGED", of, forged, "These receipts don't match the signed ledger.");
	const cut = last.n === 0 ? "All receipts" : `Receipts after ${last.n}`;
	if (seen > last.n && !isRemoved) note("CUT", of, last.n, `${cut} were cut off: the ledger has recorded ${seen}.`);
	if (isOver && last.n > 0 && final === undefined) note("UNSEALED", of, last.n, "The end of this run is not sealed by the ledger.");
}

function counted(count, what) {
	return `${count} ${count === 1 ? what : `${what}s`}`;
}

async function main() {
	const { values } = parseArgs({ options: { key: { type: "string" }, json: { type: "boolean" } } });
	if (values.key === undefined) throw new TypeError("Say which key you trust: --key=KEY");
	const trusted = rawKey(values.key);
	let header;
	let run;
	let isWhole = false;
	for await (const text of createInterface({ input: process.stdin })) {
		const line = parse(text);
		if (header === undefined) {
			if (line?.format !== "xworkmate.receipts.v1") throw new TypeError("This is not an export of receipts.");
			header = line;
		} else if (line?.type === "run" || line?.type === "plan") {
			const of = nameOf(line);
			const begins = line.type === "run" ? line.runId : `plan\n${line.planId}`;
			run = { of, isOver: line.type === "run" && line.isOver === true, receipts: 0, hashes: new Map() };
			run.last = { n: 0, hash: sha256(`xworkmate.receipts.v1\n${begins}`), isWhole: true };
			runs.set(of, run);
		} else if (line?.type === "ledger") takeLine(String(line.line), trusted);
		else if (line?.type === "end") isWhole = true;
		else if (run !== undefined) takeReceipt(run, line === undefined ? null : (line.receipt ?? line.body?.receipt));
	}
	if (!isWhole) throw new TypeError("The export ends too early.");
	const isUnreadable = header.unreadable === true;
	if (isUnreadable) note("LEDGER_UNREADABLE", undefined, undefined, "The bridge could not read its ledger for this export.");
	else if (ledger.trusted === 0 && (ledger.n > 0 || runs.size > 0)) {
		note("UNKNOWN_KEY", undefined, Math.min(ledger.n, 1), "No line of the ledger is signed with the key that you trust.");
	}
	const known = header.ledger?.n ?? 0;
	if (known > ledger.n && !isUnreadable) {
		const end = ledger.n === 0 ? "is empty" : `ends with line ${ledger.n}`;
		note("LEDGER_CUT", undefined, ledger.n, `The ledger ${end}, but the database has a record of line ${known}.`);
	}
	for (const one of runs.values()) compare(isUnreadable ? { ...one, isOver: false } : one);
	const only = nameOf(header);
	for (const [of, { isRemoved, heads }] of ledger.runs) {
		if (runs.has(of) || isRemoved || (only !== undefined && only !== of)) continue;
		note("REMOVED_UNSAID", of, heads.at(-1)?.count ?? 0, `This ${of.split(" ")[0]} is in the ledger, but was removed without a record.`);
	}
	const receipts = [...runs.values()].reduce((sum, one) => sum + one.receipts, 0);
	const plans = [...runs.keys()].filter((of) => of.startsWith("plan ")).length;
	if (values.json) console.log(JSON.stringify({ ok: problems.length === 0, runs: runs.size - plans, plans, receipts, problems }));
	else {
		for (const { code, runId, planId, n, message } of problems)
			console.log([code, runId ?? planId ?? "ledger", ...(n === undefined ? [] : [n]), message].join("  "));
		console.log(
			`${problems.length === 0 ? "Intact" : "Not intact"}: ${counted(receipts, "receipt")} of ${counted(runs.size - plans, "run")}${plans === 0 ? "" : ` and ${counted(plans, "plan")}`}.`,
		);
	}
	return problems.length === 0 ? 0 : 1;
}

try {
	process.exitCode = await main();
} catch (error) {
	console.error(error.message);
	process.exitCode = 2;
}
