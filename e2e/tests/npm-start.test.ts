import { describe, expect, it } from "vitest";
import { runCommand } from "../support/app/command.ts";
import { NpmStart } from "../support/app/npm-start.ts";
import { writeProviders } from "../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { expectNoProcessNaming, processesNaming } from "../support/machine/live-processes.ts";
import { temporaryHome } from "../support/machine/temporary-home.ts";
import { waitUntil } from "../support/machine/wait-until.ts";

const END_BOUND_MS = 30_000;
const link = /http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{43}/;

describe.skipIf(process.platform !== "linux")("npm start", () => {
	it.each([
		["SIGTERM", "npm"],
		["SIGHUP", "npm"],
		// Ctrl-C, and a terminal that is closed.
		["SIGINT", "group"],
		["SIGHUP", "group"],
	] as const)("[D31] %s to %s ends the app, the bridge and an agent at work", async (signal, to) => {
		await using home = await temporaryHome();
		await writeProviders(home, [unrulyAgent()]);
		await using npm = new NpmStart(home);
		await npm.until(link);
		await runCommand(home, ["run", "--detach", "--provider", "unruly", "UNRULY:SAY so far ;; HANG"]);
		await waitUntil("the agent at work", END_BOUND_MS, async () => {
			const running = await processesNaming(home.path);
			return ["npm start", "toolchain.mjs", "main.ts start", "bridge/src/main.ts", "unruly-agent.ts"].every((part) =>
				running.some(({ command }) => command.includes(part)),
			)
				? true
				: undefined;
		});
		npm.signal(signal, to);
		await expectNoProcessNaming(home.path, END_BOUND_MS);
	});

	it("[D12] a second one prints a new link that lets a browser in, and ends well", async () => {
		await using home = await temporaryHome();
		await using first = new NpmStart(home);
		const [firstLink] = await first.until(link);
		await using second = new NpmStart(home);
		expect(await second.ended()).toBe(0);
		expect(second.stdout).toContain("XWorkmate is already running. Open it (the link works once, within 10 minutes):");
		const [newLink = ""] = link.exec(second.stdout) ?? [];
		expect(newLink).not.toBe(firstLink);
		expect(new URL(newLink).origin).toBe(new URL(firstLink).origin);
		expect((await fetch(newLink, { redirect: "manual" })).status).toBe(303);
		first.signal("SIGTERM");
		await expectNoProcessNaming(home.path, END_BOUND_MS);
	});
});
