#!/usr/bin/env node
/**
 * An agent that a package of the fake registry has as its program. It speaks the Agent Client Protocol over stdio, without libraries. Its
 * answer to a prompt is what it was started with: its version, and its variables whose names begin with FAKE_.
 *
 * `behaviour.json` beside it says how it behaves:
 *   version        what it says of itself
 *   start          "dies" at once; "hangs": never answers; "asks": waits for a line of a person; "floods": writes a gigabyte to its log
 *   needsSignIn    session/new is refused until FAKE_AGENT_KEY is set, or `.fake-agent` is in HOME
 *   signIn         "endless": authenticate never ends, nor does --login, which ignores Ctrl-C and SIGTERM
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const behaviour = JSON.parse(readFileSync(new URL("./behaviour.json", import.meta.url), "utf8"));
const { version, start, needsSignIn = false, signIn } = behaviour;
const account = join(process.env.HOME ?? "/nonexistent", ".fake-agent");

if (process.argv.includes("--login")) {
	if (signIn === "endless") {
		for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
		console.log(`Waiting for you, as process ${process.pid}.`);
		await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
	}
	writeFileSync(account, "signed in\n");
	console.log("Signed in.");
	process.exit(0);
}
if (start === "dies") {
	console.error("fake agent: no licence found");
	process.exit(7);
}
if (start === "floods") {
	const megabyte = `${"x".repeat(1023)}\n`.repeat(1024);
	let left = 1024;
	const write = () => {
		while (left-- > 0) if (!process.stderr.write(megabyte)) return void process.stderr.once("drain", write);
	};
	write();
}
if (start === "asks") process.stderr.write("Do you accept the terms? [y/N] ");

const variables = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("FAKE_")));
const authMethods = [
	{ id: "browser", name: "Account", description: "Opens a page" },
	{ id: "key", name: "Key", type: "env_var", vars: [{ name: "FAKE_AGENT_KEY", label: "Key" }] },
	{ id: "tty", name: "In a terminal", type: "terminal", args: ["--login"] },
];

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const isSignedIn = () => !needsSignIn || process.env.FAKE_AGENT_KEY !== undefined || existsSync(account);

function answer({ id, method, params }) {
	switch (method) {
		case "initialize":
			return { protocolVersion: 1, agentCapabilities: {}, authMethods };
		case "authenticate":
			if (signIn === "endless") return undefined;
			writeFileSync(account, "signed in\n");
			return {};
		case "session/new":
			if (isSignedIn()) return { sessionId: "conversation" };
			return void say({ id, error: { code: -32000, message: "Authentication required" } });
		case "session/prompt": {
			const text = JSON.stringify({ version, variables });
			const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
			say({ method: "session/update", params: { sessionId: params.sessionId, update } });
			return { stopReason: "end_turn" };
		}
		default:
			return void say({ id, error: { code: -32601, message: "Method not found" } });
	}
}

for await (const line of createInterface({ input: process.stdin })) {
	if (start === "hangs" || start === "asks") continue;
	const message = JSON.parse(line);
	if (message.id === undefined) continue;
	const result = answer(message);
	if (result !== undefined) say({ id: message.id, result });
}
