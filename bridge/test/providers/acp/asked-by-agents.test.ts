import { link, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Approval } from "@xworkmate/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { grantScope } from "../../../src/approvals/grant-scope.ts";
import type { PermissionRequest } from "../../../src/ports/agents/provider.ts";
import { decodePermission } from "../../../src/providers/acp/protocol/decode-permission.ts";
import { decodeUpdate } from "../../../src/providers/acp/protocol/decode-update.ts";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { permissionRequest } from "../../../src/providers/acp/turn/permission-request.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";

const Message = z.object({ method: z.string(), params: z.unknown() });
type Message = z.infer<typeof Message>;
const Recorded = z.array(z.object({ agent: z.string(), version: z.string(), messages: z.array(Message) }));
/** What a page gets of them; the app's tests show these. */
const Shown = z.array(z.object({ agent: z.string(), asked: z.record(z.string(), z.unknown()) }));

const read = async (path: string) => JSON.parse(await readFile(new URL(path, import.meta.url), "utf8"));
const recorded = Recorded.parse(await read("./fixtures/asked-by-agents.json"));
const shown = Shown.parse(await read("../../../../app/test/ui/approvals/asked-by-agents.json"));

let home: string;
beforeAll(async () => {
	home = await realpath(await mkdtemp(join(tmpdir(), "asked by ")));
	await mkdir(join(home, "src"));
	await writeFile(join(home, "src", "a.txt"), "one\ntwo\nthree\n");
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** The request as an agent's messages make it, with every directory of theirs in `home`. */
async function requested(messages: readonly Message[], directory = home): Promise<PermissionRequest> {
	const book = new CallBook();
	const translator = new UpdateTranslator();
	for (const { method, params } of JSON.parse(JSON.stringify(messages).replaceAll("$CWD", home)) as Message[]) {
		if (method === "session/update") {
			const { update, parts } = decodeUpdate(params);
			if (update.kind !== "tool" || parts === undefined) throw new Error("not a tool's update");
			book.see(update.change.toolCallId, parts);
			translator.translate(update);
			continue;
		}
		const question = decodePermission(params);
		if (question === undefined) throw new Error("not a question");
		translator.tool(question.change);
		return permissionRequest(
			translator.question(question.change.toolCallId),
			book.see(question.change.toolCallId, question.parts),
			question,
			directory,
		);
	}
	throw new Error("nothing was asked");
}

/** As the bridge records it, with directories written as in the fixtures. */
function asShown({ title, toolKind, input, directory, ...rest }: PermissionRequest, scope: Approval["grantScope"]): unknown {
	const grant = scope === undefined ? {} : "sha256" in scope ? { grantScope: { ...scope, sha256: "0".repeat(64) } } : { grantScope: scope };
	const options = rest.options.filter((option) => scope !== undefined || option !== "allow_window");
	return JSON.parse(
		JSON.stringify({ title, toolKind, ...(input && { input }), ...(directory && { directory }), options, ...grant }).replaceAll(
			home,
			"/work/project",
		),
	);
}

it("a request says if its agent can only be denied for good", async () => {
	const ask = (...kinds: readonly string[]) =>
		requested([
			{
				method: "session/request_permission",
				params: {
					sessionId: "s",
					toolCall: { toolCallId: "t", title: "npm test", kind: "execute" },
					options: kinds.map((kind) => ({ optionId: kind, name: kind, kind })),
				},
			},
		]);
	expect(await ask("allow_always", "reject_always")).toMatchObject({ options: ["deny"], deniesAlways: true });
	expect(await ask("allow_once", "reject_once", "reject_always")).not.toHaveProperty("deniesAlways");
});

describe("[D7] a request as real agents send it", () => {
	it("gives the page these records, whichever agent asks", async () => {
		const records: unknown[] = [];
		for (const { agent, messages } of recorded) {
			const request = await requested(messages);
			records.push({ agent, asked: asShown(request, grantScope(request)) });
		}
		expect(records).toEqual(shown);
	});
});

const call = (rawInput: unknown, more: object = {}): Message => ({
	method: "session/update",
	params: {
		sessionId: "s",
		update: { sessionUpdate: "tool_call", toolCallId: "1", title: "npm test", kind: "execute", rawInput, ...more },
	},
});
const ask = (rawInput: unknown, more: object = {}): Message => ({
	method: "session/request_permission",
	params: {
		sessionId: "s",
		toolCall: { toolCallId: "1", title: "npm test", kind: "execute", rawInput, ...more },
		options: [{ optionId: "1", kind: "allow_once" }],
	},
});
const scopeOf = async (...messages: Message[]) => grantScope(await requested(messages));

describe("[D2] what a grant covers by what an agent says of a call", () => {
	it("is no program when an earlier message names another directory than the one that asks", async () => {
		const plain = await scopeOf(ask({ command: "npm test" }));
		expect(plain).toEqual({ kind: "program", words: ["npm", "test"] });
		expect(await scopeOf(call({ command: "npm test", cwd: home }), ask({ command: "npm test" }))).toEqual(plain);
		const [src, other] = await Promise.all(
			["src", "other"].map((folder) => scopeOf(call({ command: "npm test", workdir: join(home, folder) }), ask({ command: "npm test" }))),
		);
		expect(src).toMatchObject({ kind: "request" });
		// It is the same text on the button, and another request.
		expect(other).not.toEqual(src);
	});

	it("[D7] says where a command would run when that is another folder", async () => {
		const elsewhere = await requested([call({ command: "npm test", workdir: "/elsewhere" }), ask({ command: "npm test" })]);
		expect(elsewhere).toMatchObject({ directory: "/elsewhere" });
		expect(elsewhere).not.toHaveProperty("command");
		expect(await requested([ask({ command: "npm test", cwd: home })])).not.toHaveProperty("directory");
	});

	it("is no program when any message says more of it than a person reads", async () => {
		expect(await scopeOf(ask({ command: "npm test", env: { PATH: "/tmp" } }))).toMatchObject({ kind: "request" });
		expect(await scopeOf(call({ command: "npm test", shell: "/tmp/x" }), ask({ command: "npm test" }))).toMatchObject({ kind: "request" });
		const diff = [{ type: "diff", path: join(home, "x"), newText: "x" }];
		expect(await scopeOf(call({ command: "npm test" }, { content: diff }), ask({ command: "npm test" }))).toMatchObject({
			kind: "request",
		});
		expect(await scopeOf(ask({ command: "npm test", description: "Run the tests", timeout: 5 }))).toMatchObject({ kind: "program" });
	});

	it("cannot be known of a call that shows nothing, or whose title is cut", async () => {
		expect(await scopeOf(ask(undefined))).toBeUndefined();
		const long = `npm test ${"a".repeat(2_000)}`;
		expect(
			await scopeOf(ask(undefined, { title: long, content: [{ type: "content", content: { type: "text", text: "in /x" } }] })),
		).toBeUndefined();
	});

	it("is an edit's real folder; a link, a second name, several folders or anything besides make it the very same request", async () => {
		const edit = (path: string, more: object = {}) =>
			scopeOf(
				ask({ file_path: path, content: "x", ...more }, { kind: "edit", title: "Write", content: [{ type: "diff", path, newText: "x" }] }),
			);
		expect(await edit(join(home, "src", "new.txt"))).toEqual({ kind: "folder", path: join(home, "src"), inside: "src" });
		expect(await edit(join(home, "b.txt"))).toEqual({ kind: "folder", path: home, inside: "" });
		await writeFile(join(home, "secret"), "s");
		await symlink(join(home, "secret"), join(home, "src", "link"));
		await link(join(home, "secret"), join(home, "src", "second-name"));
		await symlink(tmpdir(), join(home, "elsewhere"));
		expect(await edit(join(home, "src", "link"))).toMatchObject({ kind: "request" });
		expect(await edit(join(home, "src", "second-name"))).toMatchObject({ kind: "request" });
		expect(await edit(join(home, "elsewhere", "x"))).toEqual({ kind: "folder", path: await realpath(tmpdir()) });
		expect(await edit(`${home}/src/../b.txt`)).toMatchObject({ kind: "request" });
		expect(await edit("src/b.txt")).toMatchObject({ kind: "request" });
		expect(await edit(join(home, "none", "b.txt"))).toMatchObject({ kind: "request" });
		expect(await edit(join(home, "src", "new.txt"), { path: join(home, "b.txt") })).toMatchObject({ kind: "request" });
		expect(await edit(join(home, "src", "new.txt"), { command: "rm" })).toMatchObject({ kind: "request" });
		const patch = (header: string) => `--- ${header}\n+++ ${header}\n@@ -0,0 +1 @@\n+x\n`;
		expect(await edit(join(home, "src", "new.txt"), { diff: patch(join(home, "src", "new.txt")) })).toMatchObject({ kind: "folder" });
		expect(await edit(join(home, "src", "new.txt"), { diff: patch("/etc/passwd") })).toMatchObject({ kind: "request" });
		expect(await edit(join(home, "src", "new.txt"), { diff: patch("a") + patch("b") })).toMatchObject({ kind: "request" });
	});
});
