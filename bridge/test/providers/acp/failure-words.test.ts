import { describe, expect, it } from "vitest";
import { errorSentence, goneWords, loginWords } from "../../../src/providers/acp/process/failure-words.ts";

const crash = `node:fs:500
    throw err;
    ^

Error: cannot open model cache: EACCES
    at open (node:fs:500:3)
    at main (/opt/agent.js:3:1)
  errno: -13
}

Node.js v24.1.0`;

describe("[D8] why an agent stopped, in one sentence", () => {
	it.each([
		["its provider's message in the details", { details: "429 Too Many Requests: slow down" }, "429 Too Many Requests: slow down"],
		["a message in a message", { error: { type: "overloaded", message: "Overloaded" } }, "Overloaded"],
		["words alone", "no such model", "no such model"],
		["what a provider answered, as text", '{"error":{"message":"quota exceeded"}}', "quota exceeded"],
		["text that only looks like JSON", "{not json", "{not json"],
		["nothing", undefined, "Internal error"],
		["nothing that says more", { code: 7 }, "Internal error"],
		["only the first of many lines", { details: "first\nsecond" }, "first"],
	])("tells %s", (_name, data, sentence) => {
		expect(errorSentence({ message: "Internal error", data })).toBe(sentence);
	});

	it("keeps what the agent itself says, and adds the detail once", () => {
		expect(errorSentence({ message: "The model is gone", data: { details: "404" } })).toBe("The model is gone (404)");
		expect(errorSentence({ message: "The model is gone: 404", data: { details: "404" } })).toBe("The model is gone: 404");
	});

	it("is bounded, however long or deep the error is", () => {
		expect(errorSentence({ message: "Internal error", data: { details: "x".repeat(10_000) } })).toHaveLength(301);
		const deep = Array.from({ length: 50 }).reduce((inner) => ({ error: inner }), "never reached" as unknown);
		expect(errorSentence({ message: "Internal error", data: deep })).toBe("Internal error");
	});

	it("finds the line of an error among those of a crash, and keeps the exit code", () => {
		expect(goneWords("Lively", { code: 9, signal: null }, "session/prompt", crash)).toBe(
			"Lively crashed: Error: cannot open model cache: EACCES.\nIt exited with code 9 during session/prompt.",
		);
		expect(goneWords("Lively", { code: null, signal: "SIGKILL" }, "session/prompt", "")).toBe(
			"Lively was terminated by SIGKILL during the run.",
		);
		// Whatever it wrote, that is not why it was killed.
		expect(goneWords("Lively", { code: null, signal: "SIGKILL" }, "session/prompt", "Error: 429, trying again")).toBe(
			"Lively was terminated by SIGKILL during the run.",
		);
		expect(goneWords("Lively", { code: 0, signal: null }, "session/prompt", "bye")).toBe("Lively exited with code 0 during the run.");
		expect(goneWords("Lively", undefined, "session/prompt", crash)).toBe("Lively closed its connection during the run.");
		// It never worked, so it didn't crash.
		expect(goneWords("Lively", { code: 1, signal: null }, "initialize", "no licence found")).toBe(
			"Lively could not be started: no licence found.\nIt exited with code 1 during initialize.",
		);
	});
});

describe("how to sign in to an agent of one's own", () => {
	const terminal = { id: "login", type: "terminal", args: ["--login", "my team"] };

	it("names the whole command that starts the agent, with what the sign-in adds", () => {
		const ways = { label: "Own", command: ["npx", "--yes", "own-agent"], login: undefined };
		expect(loginWords({ ...ways, authMethods: [terminal] })).toBe(
			"Own isn't signed in. To sign in: run `npx --yes own-agent --login 'my team'` in a terminal.",
		);
		expect(loginWords({ ...ways, authMethods: [{ ...terminal, env: { OWN_MODE: "sign in" } }] })).toContain(
			"run `env 'OWN_MODE=sign in' npx --yes own-agent --login 'my team'` in a terminal",
		);
	});

	it("puts one full stop after an agent's own sentence", () => {
		const authMethods = [{ id: "key", description: "Set OWN_KEY." }];
		expect(loginWords({ label: "Own", command: ["own"], login: undefined, authMethods })).toBe(
			"Own isn't signed in. To sign in: Set OWN_KEY.",
		);
	});
});
