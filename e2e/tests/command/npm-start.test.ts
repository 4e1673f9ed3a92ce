import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { backgroundHome, SignedInPage } from "../../support/app/background-app.ts";
import { runCommand } from "../../support/app/command.ts";
import { NpmStart } from "../../support/app/npm-start.ts";
import { repositoryRoot, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { expectNoProcessNaming, processesNaming } from "../../support/machine/live-processes.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";

const END_BOUND_MS = 30_000;
const link = /http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{43}/;

describe.skipIf(process.platform !== "linux")("npm start", () => {
	it.each([
		["SIGTERM", "npm"],
		["SIGHUP", "npm"],
		// Ctrl+C, and a terminal that is closed.
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
			return [/npm start/, /toolchain\.mjs/, /main\.[jt]s start/, /bridge(?:\/src\/main\.ts|\.js)/, /unruly-agent\.ts/].every((part) =>
				running.some(({ command }) => part.test(command)),
			)
				? true
				: undefined;
		});
		npm.signal(signal, to);
		await expectNoProcessNaming(home.path, END_BOUND_MS);
		if (signal === "SIGINT") expect(npm.stderr).toMatch(/^Stopping\. 1 run .*^Stopped\.$/ms);
	});

	it.skipIf(process.env.XWORKMATE_TEST_PROGRAMS === "sources")(
		"runs the bundled programs once they are built from the sources as they are, and says what is typed in a checkout",
		async () => {
			await promisify(execFile)(process.execPath, [join(repositoryRoot, "scripts", "pack", "build-in-background.ts")]);
			await using home = await temporaryHome();
			await using npm = new NpmStart(home);
			await npm.until(link);
			const commands = (await processesNaming(home.path)).map(({ command }) => command);
			expect(commands.filter((command) => /\.cache\/programs\/[0-9a-f]{16}\/programs\/main\.js start/.test(command))).not.toEqual([]);
			expect(commands.filter((command) => /\.cache\/programs\/[0-9a-f]{16}\/programs\/bridge\.js/.test(command))).not.toEqual([]);
			await using second = new NpmStart(home, ["--", "--help"]);
			expect(await second.ended()).toBe(0);
			expect(second.stdout).toContain("npm start");
			npm.signal("SIGTERM");
			await expectNoProcessNaming(home.path, END_BOUND_MS);
		},
	);

	it("goes on in the background when its terminal is closed, at the same address, until it is stopped", async () => {
		await using at = await backgroundHome();
		await using npm = new NpmStart(at.home, [], at.env);
		const [found] = await npm.until(link);
		const page = await SignedInPage.open(found);
		const before = await at.owner();
		npm.signal("SIGHUP", "group");
		const { url } = await at.owner(before.pid);
		expect(url).toBe(page.origin);
		expect((await page.call("listThreads", { archived: false }))?.status).toBe(200);
		expect((await runCommand(at.home, ["stop"], { env: at.env })).stdout).toBe("XWorkmate has stopped.\n");
		await expectNoProcessNaming(at.home.path, END_BOUND_MS);
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
