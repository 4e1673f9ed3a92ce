import { ProviderId, Timestamp } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { startLines } from "../../../src/cli/words/start-lines.ts";

const features = { approvals: true, followUp: true, resume: true, attachments: false };
const provider = (id: string, available: boolean) => ({
	...{ providerId: ProviderId.parse(id), label: id, target: "agent" as const, available, features },
	...(!available && { unavailable: { code: "PROVIDER_AUTH_REQUIRED", message: "No account.", fix: "Add one." } }),
});
const addresses = { link: "http://127.0.0.1:2/open/x", home: "/h", running: { pid: 4711, runsAs: "terminal" } } as const;

it.each([
	[true, 'run --provider assistant "What can you do for me?"'],
	[false, "run --provider script"],
])("suggests a message to the assistant if it is ready, and otherwise a program: %s", (available, command) => {
	const lines = startLines(addresses, { providers: [provider("script", true), provider("assistant", available)] }, []);
	expect(lines[lines.indexOf("To try it out, run this in another terminal:") + 1]).toContain(command);
});

it("suggests a program if the assistant's last run failed", () => {
	const problem = { code: "PROVIDER_ERROR", message: "The model could not be reached.", fix: "Test its accounts." };
	const failedRun = { at: Timestamp.parse("2025-03-04T09:00:00.000Z"), problem };
	const lines = startLines(addresses, { providers: [provider("script", true), { ...provider("assistant", true), failedRun }] }, []);
	expect(lines[lines.indexOf("To try it out, run this in another terminal:") + 1]).toContain("run --provider script");
});

const missing = (id: string, fix = "Install it.") => ({
	...provider(id, false),
	unavailable: { code: "PROVIDER_NOT_INSTALLED" as const, message: "No command.", fix },
});

it("names the agents that are not installed in one line, with a command that installs one which XWorkmate can install", () => {
	const providers = [provider("script", true), missing("hermes"), missing("codex"), missing("goose"), provider("claude", false)];
	const lines = startLines(addresses, { providers }, [ProviderId.parse("codex"), ProviderId.parse("goose")]);
	const at = lines.indexOf("Not installed: hermes, codex, goose");
	expect(lines[at + 1]).toContain("agents install codex");
	expect(lines.join("\n")).not.toContain("No command.");
	expect(lines.join("\n")).toContain("Not usable now:\n  No account.");
});

it("says of agents that XWorkmate can't install how each is installed", () => {
	const lines = startLines(addresses, { providers: [missing("hermes", "Install uv."), missing("mine", "Install mine.")] }, [
		ProviderId.parse("codex"),
	]);
	const at = lines.indexOf("Not installed: hermes, mine");
	expect(lines.slice(at + 1, at + 4)).toEqual(["  hermes: Install uv.", "  mine: Install mine.", ""]);
	expect(lines.join("\n")).not.toContain("agents install");
});

it("ends with the link, and has no other address", () => {
	const lines = startLines(addresses, { providers: [provider("script", true), provider("codex", false)] }, []);
	expect(lines.at(-1)).toBe(`  ${addresses.link}`);
	expect(lines.slice(0, -1).join("\n")).not.toContain("://");
});

it("says of an agent that was only found that it is not tested yet, and of others how their last test ended", () => {
	const at = Timestamp.parse("2025-03-04T09:00:00.000Z");
	const problem = { code: "PROVIDER_EXITED", message: "goose ended at once.\nraw", fix: "Run `goose acp` in a terminal to see why." };
	const tested = (id: string, more: object) => ({ ...provider(id, true), lastTest: { at, tookMs: 9, ...more } });
	const providers = [provider("script", true), provider("claude", true), tested("codex", {}), tested("goose", { problem })];
	const text = startLines(addresses, { providers }, []).join("\n");
	expect(text).toContain(
		"Agents:\n  script is ready.\n  claude was found but not tested yet.\n  codex is ready; it answered its last test (4 Mar 2025",
	);
	expect(text).toMatch(
		/Not usable now:\n {2}goose failed its last test \(4 Mar 2025 .*\): goose ended at once\. \(PROVIDER_EXITED\)\n {4}Run `goose acp`/,
	);
	expect(text).not.toContain("claude is ready");
});

it.each([
	["terminal", "Stop with Ctrl+C."],
	["detached", "To stop it, end process 4711."],
] as const)("names Ctrl+C only with a terminal: %s", (runsAs, how) => {
	const lines = startLines({ ...addresses, running: { pid: 4711, runsAs } }, { providers: [provider("script", true)] }, []);
	expect(lines.filter((line) => /Ctrl|process/.test(line))).toEqual([how]);
});
