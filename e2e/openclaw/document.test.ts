import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { cleanEnvironment, repositoryRoot } from "../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../support/machine/temporary-home.ts";
import { documentedBlock, documentedBlocks, runDocumented } from "../support/openclaw/openclaw-document.ts";
import { useOnboardedGateway } from "../support/openclaw/openclaw-suite.ts";
import { sha256Of } from "../support/wire/served-artifacts.ts";

// Its set-up has followed the document's first three steps: onboarding, the start, and the plugin into what runs.
const gateway = useOnboardedGateway();
const haiku = "An old silent pond";

/** The commands of the fourth and fifth step need the settings of the fourth. */
async function settings(): Promise<string> {
	const block = await documentedBlock(4, "export ");
	const own = block.replace("18789", String(gateway.place.port)).replace("=...", `=${gateway.place.token}`);
	return own
		.split("\n")
		.filter((line) => line.startsWith("export "))
		.join("\n");
}

async function follow(home: TemporaryHome, lines: string) {
	const { PATH: _path, ...env } = cleanEnvironment(home, { XWORKMATE_APP_LISTEN: "127.0.0.1:0" });
	return runDocumented(gateway, `${await settings()}\n${lines}`, env);
}

/** What differs from run to run. */
function timeless(output: string): string {
	return output
		.replaceAll(/draft:\S+|run-\w+/g, "<id>")
		.replace(/ in \S.*\.xworkmate\/threads\/\S+$/m, " in <folder>")
		.trim();
}

it("names the version of OpenClaw that is tested, and leaves nothing in the checkout that git would take", async () => {
	const manifest = await readFile(join(repositoryRoot, "e2e", "agents", "openclaw", "package.json"), "utf8");
	const { openclaw } = z.object({ dependencies: z.object({ openclaw: z.string() }) }).parse(JSON.parse(manifest)).dependencies;
	expect(await documentedBlock(1, "npm i -g")).toContain(`openclaw@${openclaw}\n`);
	const untracked = execFileSync("git", ["ls-files", "--others", "--exclude-standard", "openclaw-plugins"], { cwd: repositoryRoot });
	expect(String(untracked)).not.toContain(".tgz");
});

it("shows the gateway's token", async () => {
	const command = (await documentedBlock(4, "auth-token")).trim();
	const { stdout } = await runDocumented(gateway, `script -qec "${command}" /dev/null`);
	expect(stdout).toContain(gateway.place.token);
});

it("ends in a doctor that says ready, a file in the thread's folder, and a second turn of the same conversation", async () => {
	await using home = await temporaryHome();
	const doctor = await follow(home, "npm run -s xworkmate -- doctor");
	expect(await documentedBlock(4, "export ")).toContain("npm run -s xworkmate -- doctor\n");
	expect(doctor.stdout.trim().split("\n").at(-1)).toMatch(/^ok +gateway openclaw: OpenClaw is ready\.$/);

	const [first = "", second = ""] = await documentedBlocks(5);
	const scripted = (block: string, prompt: string) => block.replace(/"[^"]*"\n$/, `'${prompt}' 2>&1`);
	const ran = await follow(
		home,
		scripted(first, `FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/haiku.md ${haiku} ;; SAY The haiku is in haiku.md`),
	);
	const [shown = ""] = await documentedBlocks(5, "");
	// OpenClaw gathers words before it sends them: those before a tool's call may be dropped for the call.
	expect(timeless(ran.stdout.replace("I will do that now.\n", ""))).toBe(timeless(shown));
	expect(Object.values(await syncedFiles(home))).toEqual([sha256Of(haiku)]);

	const [threadId = ""] = /draft:[^\s,]+/.exec(ran.stdout) ?? [];
	const own = scripted(second, "FAKE:SAY it has four words").replace(/draft:\S+/, threadId);
	expect((await follow(home, own)).stdout).toContain("it has four words");
});
