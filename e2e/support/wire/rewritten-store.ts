import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TemporaryHome } from "../machine/temporary-home.ts";

type Json = Readonly<Record<string, unknown>>;

/** JSON with sorted keys: the canonical form of receipts, which have no fractions. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_key, one: unknown) =>
		typeof one === "object" && one !== null && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).toSorted()) : one,
	);
}

/**
 * Makes all receipts again with other words, and takes the ledger away with every mark of it: what someone can do who may write to the
 * whole home and knows how receipts are made. The bridge must be stopped.
 */
export async function rewriteStore(home: TemporaryHome): Promise<void> {
	const folder = join(home.xworkmate, "bridge");
	const db = new DatabaseSync(join(folder, "bridge.sqlite"));
	for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all()) db.exec(`DROP TRIGGER ${name}`);
	const rows = db
		.prepare("SELECT receipt.run, receipt.n, event.seq, event.body FROM receipt JOIN event USING (run, seq) ORDER BY run, n")
		.all();
	const heads = new Map<unknown, unknown>();
	for (const { run, seq, body } of rows) {
		const event = JSON.parse(String(body)) as { readonly receipt: Json };
		const { hash: _hash, ...content } = event.receipt;
		const changed = { ...content, prevHash: heads.get(run) ?? content.prevHash, words: "Nothing of importance" };
		const hash = createHash("sha256").update(canonical(changed)).digest("hex");
		heads.set(run, hash);
		const text = JSON.stringify({ ...event, receipt: { ...changed, hash } });
		db.prepare("UPDATE event SET body = ? WHERE run = ? AND seq = ?").run(text, Number(run), Number(seq));
	}
	db.exec("DELETE FROM receipt_ledger");
	db.close();
	await rm(join(folder, "receipts"), { recursive: true, force: true });
}
