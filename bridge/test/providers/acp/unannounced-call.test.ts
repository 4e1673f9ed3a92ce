import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ProviderUpdate } from "../../../src/ports/runs/run-event.ts";
import { decodeUpdate } from "../../../src/providers/acp/protocol/decode-update.ts";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { EditsFound } from "../../../src/providers/acp/turn/edits-found.ts";
import { OpenCalls } from "../../../src/providers/acp/turn/open-calls.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";

let folder: string;

beforeEach(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), "unannounced-")));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** What reports about one call become, if no `tool_call` came before them. */
async function reported(...updates: readonly Readonly<Record<string, unknown>>[]): Promise<readonly ProviderUpdate[]> {
	const [translator, book, edits] = [new UpdateTranslator(), new CallBook(), new EditsFound(new OpenCalls())];
	await edits.begin(folder);
	await writeFile(join(folder, "there.txt"), "new");
	const found: ProviderUpdate[] = [];
	for (const more of updates) {
		const { update, parts } = decodeUpdate({
			sessionId: "s",
			update: { sessionUpdate: "tool_call_update", toolCallId: "never-announced", ...more },
		});
		if (update.kind !== "tool" || parts === undefined) throw new Error("no call");
		const facts = book.see(update.change.toolCallId, parts);
		edits.notice(facts, folder);
		for (const translated of translator.translate(update)) found.push(await edits.look(translated, facts, folder));
	}
	return found;
}

const diff = (name: string) => ({ content: [{ type: "diff", path: join(folder, name), newText: "new" }] });

it("a call with a diff that was never announced is an edit, and its file is examined", async () => {
	expect(await reported({ status: "completed", ...diff("never.txt") })).toMatchObject([
		{ toolKind: "edit", state: "completed", notFound: true, examined: ["never.txt"] },
	]);
	expect(await reported({ status: "completed", ...diff("there.txt") })).toMatchObject([{ toolKind: "edit", untouched: false }]);
	expect(await reported(diff("never.txt"), { status: "completed" })).toMatchObject([
		{ toolKind: "other" },
		{ toolKind: "edit", notFound: true },
	]);
});

it("a diff makes no edit of a call that has not been made, or of one that its agent calls something else", async () => {
	expect(await reported({ status: "pending", ...diff("never.txt") })).toMatchObject([{ toolKind: "other" }]);
	expect(await reported({ status: "completed", kind: "execute", ...diff("never.txt") })).toMatchObject([{ toolKind: "execute" }]);
});

it("a finished call that shows a change is an edit, even if its agent says that it only looks", async () => {
	for (const kind of ["read", "search", "think"]) {
		expect(await reported({ status: "pending", kind, ...diff("never.txt") })).toMatchObject([{ toolKind: kind }]);
		expect(await reported({ status: "completed", kind, ...diff("never.txt") })).toMatchObject([{ toolKind: "edit", notFound: true }]);
		expect(await reported({ status: "completed", kind })).toMatchObject([{ toolKind: kind }]);
	}
});

it("a call without a title is named by the files that it names, until it has a title", async () => {
	const path = join(folder, "a.txt");
	const locations = [{ path }, { path, line: 3 }, { path: "b.txt" }];
	expect(await reported({}, { locations }, { title: "Reading" })).toMatchObject([
		{ title: "Tool call" },
		{ title: `Tool call (${path}, b.txt)` },
		{ title: "Reading" },
	]);
	expect(await reported(diff("x.txt"))).toMatchObject([{ title: `Tool call (${join(folder, "x.txt")})` }]);
});
