import { describe, expect, it } from "vitest";
import { grantScope } from "../../src/approvals/grant-scope.ts";
import type { PermissionRequest } from "../../src/ports/agents/provider.ts";

const asked: PermissionRequest = {
	title: "npm test",
	toolKind: "execute",
	input: { text: '{"command":"npm test"}', truncated: false },
	inputHash: "a".repeat(64),
	options: ["allow_once", "allow_window", "deny"],
	command: "npm test",
};
const withCommand = (command: string, change: Partial<PermissionRequest> = {}) =>
	grantScope({ ...asked, title: command, command, ...change });

describe("[D2] what a grant for a request covers", () => {
	it("is a command's first words, and what the agent calls the tool", () => {
		expect(grantScope(asked)).toEqual({ kind: "program", words: ["npm", "test"] });
		expect(withCommand("npm test -- -u")).toEqual({ kind: "program", words: ["npm", "test"] });
		expect(withCommand("npm test", { title: "shell · npm test", toolKind: "other" })).toEqual({
			kind: "program",
			words: ["npm", "test"],
			tool: "shell · ",
		});
	});

	it("is the very same command line where first words say too little", () => {
		const [one, two] = [withCommand("rm -rf build"), withCommand("rm -rf /")];
		expect(one).toMatchObject({ kind: "command", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
		expect(two).not.toEqual(one);
		expect(withCommand("rm -rf build", { inputHash: "b".repeat(64) })).toEqual(one);
		expect(withCommand("cat > a <<EOF\nline\nEOF")).toMatchObject({ kind: "command" });
	});

	it("is the very same request where no command is known, or the title speaks of something else than the command", () => {
		const { command: _none, ...without } = asked;
		expect(grantScope(without)).toEqual({ kind: "request", sha256: asked.inputHash });
		expect(withCommand("npm test", { title: "List the files" })).toMatchObject({ kind: "request" });
		expect(withCommand("npm test", { title: "npm test", toolKind: "other" })).toMatchObject({ kind: "request" });
		for (const toolKind of ["read", "edit", "delete", "move", "search", "fetch", "think", "switch_mode"] as const) {
			expect(withCommand("npm test", { toolKind })).toMatchObject({ kind: "request" });
		}
	});

	it("is the folder of an edit, and of nothing else", () => {
		const folder = { path: "/work/src", inside: "src" };
		const { command: _none, ...without } = asked;
		expect(grantScope({ ...without, toolKind: "edit", folder })).toEqual({ kind: "folder", ...folder });
		expect(grantScope({ ...without, toolKind: "delete", folder })).toMatchObject({ kind: "request" });
	});

	it("cannot be known, so none is offered: cut input, characters that do not show, a runtime that takes no grants", () => {
		expect(grantScope({ ...asked, input: { text: '{"comm', truncated: true } })).toBeUndefined();
		for (const hidden of ["\u202e", "\u200b", "\u0000", "\r", "\u001b[2K", "\u00ad", "\u2028", "\u3164", "\u{e0041}", "\ud800", "\ufe0f"]) {
			expect(withCommand(`npm test ${hidden}`), JSON.stringify(hidden)).toBeUndefined();
			expect(grantScope({ ...asked, input: { text: hidden, truncated: false } }), JSON.stringify(hidden)).toBeUndefined();
		}
		expect(grantScope({ ...asked, toolKind: "edit", folder: { path: "/work/a\nb" } })).toBeUndefined();
		expect(grantScope({ ...asked, options: ["allow_once", "deny"] })).toBeUndefined();
		expect(grantScope({ ...asked, options: ["allow_window", "deny"] })).toBeUndefined();
	});
});
