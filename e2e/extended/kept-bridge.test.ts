import { expect, it } from "vitest";
import { clientOf } from "../support/app/kept-bridge.ts";
import { poisonedQueue } from "../support/app/poisoned-queue.ts";
import { startApp } from "../support/app/started-app.ts";
import { readEndpoint } from "../support/bridge/bridge-process.ts";
import { temporaryHome } from "../support/machine/temporary-home.ts";
import { waitUntil } from "../support/machine/wait-until.ts";

// First, since it waits for minutes and asks for no speed: the file that begins beside this one keeps the machine busy.
it("a bridge that is killed nine times in a row is started a tenth time", async () => {
	await using home = await temporaryHome();
	await using app = await startApp(home);
	for (let kills = 0, pid = app.bridgePid; kills < 9; kills++) {
		process.kill(pid, "SIGKILL");
		pid = await waitUntil("the next bridge", 90_000, async () => {
			const next = (await readEndpoint(home))?.pid;
			return next === pid ? undefined : next;
		});
	}
	expect((await (await clientOf(home)).http({ path: "/healthz" })).status).toBe(200);
	expect(app.command.stderr).toMatch(/Restarting it in 30 s \(attempt 8\)/);
}, 400_000);

it.for([
	{ signal: "SIGKILL", overnight: false },
	{ signal: "SIGSTOP", overnight: false },
	{ signal: "SIGSTOP", overnight: true },
] as const)("a prompt that ends or hangs its bridge twice is given up by name, and nothing queued behind it is lost: %o", (how) =>
	poisonedQueue(how),
);
