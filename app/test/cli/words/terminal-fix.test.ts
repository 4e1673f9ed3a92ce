import { errorCatalogue } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { describeEnd } from "../../../src/cli/words/runs/describe-end.ts";
import { jsonDisplay } from "../../../src/cli/words/runs/turn-display.ts";
import { terminalFix } from "../../../src/cli/words/terminal-fix.ts";
import { currentTurn } from "../../../src/threads/domain/thread.ts";
import { threadNotFound } from "../../../src/threads/domain/thread-not-found.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { freshThread, send, tell } from "../../support/thread-story.ts";

it("lists the threads where an id has none", () => {
	const { code, fix } = threadNotFound();
	expect(terminalFix(code, fix)).toBe("List the threads: npm run -s xworkmate -- threads");
	expect(terminalFix("DISK_FULL", "Free some space.")).toBe("Free some space.");
});

it("names the command that restarts the bridge where providers.json has to be changed", () => {
	const restart = "restart the bridge: npm run -s xworkmate -- config apply --restart";
	expect(terminalFix("PROVIDER_MISCONFIGURED", "Correct providers.json, then restart the bridge.")).toBe(
		`Correct providers.json, then ${restart}`,
	);
	const { fix } = errorCatalogue.PROVIDER_NOT_FOUND;
	expect(terminalFix(undefined, fix)).toMatch(new RegExp(`providers\\.json and ${restart}$`));
	expect(terminalFix("PROVIDER_NOT_FOUND", fix)).toContain(restart);
	// A restart by this command would not give the bridge another environment.
	expect(terminalFix("X", "Set the variable and restart the bridge.")).toBe("Set the variable and restart the bridge.");
});

it("names the option where an agent has to be chosen", () => {
	const thread = tell(freshThread(), send("t1"));
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const fix =
		"Choose one in routing.providerId (available: script), or set a default with `npm run -s xworkmate -- config set defaultProvider ID`.";
	const refused = {
		...turn,
		status: "refused",
		resultDetail: { code: "PROVIDER_AMBIGUOUS", message: "No agent was named.", fix },
	} as const;
	expect(describeEnd({ turn: refused, thread }, "/x")).toContain(
		"  Choose one with --provider (available: script), or set a default with `npm run -s xworkmate -- config set defaultProvider ID`.",
	);
});

it("names the options where an agent runs on the other target", () => {
	const fix = 'Send routing.executionTarget "agent", or another providerId.';
	expect(terminalFix("PROVIDER_NOT_FOUND", fix)).toBe("Use --target agent, or another --provider.");
	expect(terminalFix("PROVIDER_NOT_FOUND", fix, "plans")).toBe("Use --target agent, or another --agent.");
	const several =
		"Choose one in routing.providerId (available: goose, codex), or set a default with `npm run -s xworkmate -- config set defaultProvider ID`.";
	expect(terminalFix("PROVIDER_AMBIGUOUS", several, "plans")).toContain("Choose one with --agent (available: goose, codex)");
});

it("names the options in JSON too, wherever an error is in it", () => {
	const thread = tell(freshThread(), send("t1"));
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const fix =
		"Choose one in routing.providerId (available: script), or set a default with `npm run -s xworkmate -- config set defaultProvider ID`.";
	const resultDetail = { code: "PROVIDER_AMBIGUOUS", message: "No agent was named.", fix };
	const console = new RecordingConsole();
	const refused = { ...turn, status: "refused", resultDetail } as const;
	jsonDisplay(console).show({ type: "ended", turn: refused, thread: { ...thread, lastResultDetail: resultDetail, turns: [refused] } });
	expect(console.lines.join()).not.toContain("routing.providerId");
	expect(JSON.parse(console.lines[0] ?? "").turn.resultDetail).toEqual({
		...resultDetail,
		fix: "Choose one with --provider (available: script), or set a default with `npm run -s xworkmate -- config set defaultProvider ID`.",
	});
});

it("names the option that sends a message again even though it may arrive twice", () => {
	const again = "To send the message again anyway, set allowDuplicate to true.";
	expect(terminalFix("NOTHING_TO_SEND", again)).toBe("To send the message again anyway, add --allow-duplicate.");
	expect(terminalFix("NOTHING_TO_SEND", `Check whether it has arrived. ${again}`)).toBe(
		"Check whether it has arrived. To send the message again anyway, add --allow-duplicate.",
	);
	expect(terminalFix("NOTHING_TO_SEND", `Record whether it did. ${again}`)).toBe(
		"To send the message again anyway, add --allow-duplicate. To say whether it arrived: npm run -s xworkmate -- plans settle --help",
	);
});

it("names a command of the bridge's by the name that this program was started with", () => {
	const fix = "List the contacts: `npm run -s xworkmate -- contacts list`.";
	expect(terminalFix("INVALID_PARAMS", fix)).toBe(fix);
	const [, started = ""] = process.argv;
	process.argv[1] = "/usr/local/bin/xworkmate";
	try {
		expect(terminalFix("INVALID_PARAMS", fix)).toBe("List the contacts: `xworkmate contacts list`.");
	} finally {
		process.argv[1] = started;
	}
});

it("names the command that saves a run's files again, where a page has a download", () => {
	const thread = tell(freshThread(), send("t1"));
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const fix = "If it still is, move it elsewhere. Then download the files again.";
	const resultDetail = { code: "PATH_BLOCKED", message: "1 of 1 file was not saved in the folder.", fix };
	const partial = { ...turn, status: "completed", syncStatus: "partial", resultDetail } as const;
	expect(describeEnd({ turn: partial, thread }, "/x")).toContain(
		`  If it still is, move it elsewhere. Then run: npm run -s xworkmate -- sync ${thread.threadId}`,
	);
});

it("names the command that adds a contact, sets up a channel or reviews a message, where the page has a place for it", () => {
	expect(terminalFix("RECIPIENT_UNKNOWN", errorCatalogue.RECIPIENT_UNKNOWN.fix)).toBe(
		"Add the contact: npm run -s xworkmate -- contacts add --help",
	);
	expect(terminalFix("CHANNEL_UNAVAILABLE", errorCatalogue.CHANNEL_UNAVAILABLE.fix)).toBe(
		"Set it up: npm run -s xworkmate -- channels setup --help",
	);
	const own = "Check the password, then send it again.";
	expect(terminalFix("CHANNEL_UNAVAILABLE", own)).toBe(own);
});

it("names the commands for a message that was held, or an error that arrived, while fixes still named methods of the bridge", () => {
	const add = "Add the contact: npm run -s xworkmate -- contacts add --help";
	expect(terminalFix("RECIPIENT_UNKNOWN", "Add the contact with xworkmate.contacts.put, or specify another.")).toBe(add);
	expect(terminalFix("RECIPIENT_UNKNOWN", "Add the contact with xworkmate.contacts.put, or name another.")).toBe(add);
	const setUp = "Set it up: npm run -s xworkmate -- channels setup --help";
	expect(terminalFix("CHANNEL_UNAVAILABLE", "Set up the channel with xworkmate.channels.configure.")).toBe(setUp);
	expect(terminalFix("CHANNEL_UNAVAILABLE", "Set it up with xworkmate.channels.configure.")).toBe(setUp);
	const again = "To send the message again anyway, set allowDuplicate to true.";
	expect(terminalFix("NOTHING_TO_SEND", `Call xworkmate.plans.settle to say whether it did. ${again}`)).toBe(
		"To send the message again anyway, add --allow-duplicate. To say whether it arrived: npm run -s xworkmate -- plans settle --help",
	);
});
