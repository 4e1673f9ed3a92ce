import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { type CommandEnd, runCommand, startCommand } from "../../support/app/command.ts";
import { listThreads, startApp } from "../../support/app/started-app.ts";
import { writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";

const written = "await tools.files.write({ path: 'report.md', text: '# hello' }); return 'done'";

/** A home in which one run has delivered a file, and another has receipts. */
async function workedHome(): Promise<TemporaryHome> {
	const home = await temporaryHome();
	await writeProviders(home, [unrulyAgent()]);
	expect((await runCommand(home, ["run", "--provider", "script", written])).code).toBe(0);
	expect((await runCommand(home, ["run", "--provider", "unruly", "UNRULY:TOOL Look around ;; SAY done"])).code).toBe(0);
	return home;
}

interface Finding {
	readonly about: string;
	readonly state: string;
	readonly message: string;
	readonly fix?: string;
}

const verifyHome = (home: TemporaryHome) => runCommand(home, ["doctor", "--verify", "--json"]);

/** What is wrong beyond the machine that runs this. */
function problems({ stdout, stderr }: CommandEnd): readonly Finding[] {
	if (stdout === "") throw new Error(stderr);
	const found = JSON.parse(stdout) as Finding[];
	return found.filter(({ about, state }) => state === "problem" && about !== "disk");
}

const runFolders = (home: TemporaryHome) =>
	readdirSync(join(home.xworkmate, "bridge", "artifacts")).filter((name) => !name.startsWith("."));

function alter(home: TemporaryHome, sql: string): void {
	const db = new DatabaseSync(join(home.xworkmate, "bridge", "bridge.sqlite"));
	try {
		const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
		for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
		db.exec(sql);
	} finally {
		db.close();
	}
}

it("doctor --verify reads everything that is stored, beside a bridge that works and without one", async () => {
	await using home = await workedHome();
	const before = await verifyHome(home);
	expect(problems(before)).toEqual([]);
	expect(JSON.parse(before.stdout)).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ about: "logs", state: "ok", message: expect.stringMatching(/^\d+ events of 2 runs, with no gaps/) }),
			expect.objectContaining({ about: "stored files", state: "ok", message: expect.stringMatching(/^1 stored file \(7 B\)/) }),
			expect.objectContaining({ about: "thread files", state: "ok", message: expect.stringMatching(/^1 file of 2 threads/) }),
			expect.objectContaining({ about: "receipts", state: "ok" }),
		]),
	);
	await using _app = await startApp(home);
	const busy = startCommand(home, ["run", "--provider", "unruly", "UNRULY:SLOW 200 20 ;; SAY done"]);
	const beside = await verifyHome(home);
	expect(problems(beside)).toEqual([]);
	expect((await busy.ended).code).toBe(0);
});

it("names what is damaged, with what to do, and ends with 1", async () => {
	await using home = await workedHome();
	const [run = ""] = runFolders(home);
	writeFileSync(join(home.xworkmate, "bridge", "artifacts", run, "report.md"), "# jello");
	const [thread] = (await listThreads(home)).filter(({ lastTaskArtifactRelativePaths }) => lastTaskArtifactRelativePaths.length > 0);
	const folder = (await runCommand(home, ["open", thread?.threadId ?? "", "--print"])).stdout.trim();
	writeFileSync(join(folder, "report.md"), "# jelly");
	const found = await verifyHome(home);
	expect(found.code).toBe(1);
	expect(problems(found)).toEqual([
		{
			about: "stored files",
			state: "problem",
			message: `report.md of run ${run} is not the file that the run delivered: ${join(home.xworkmate, "bridge", "artifacts", run, "report.md")}`,
			fix: expect.stringContaining("restore"),
		},
		{
			about: "thread files",
			state: "problem",
			message: `${join(folder, "report.md")} differs from the file that was saved there. It was edited, or it is damaged.`,
			fix: expect.stringContaining(`sync ${thread?.threadId}`),
		},
	]);
	rmSync(join(folder, "report.md"));
	const again = await verifyHome(home);
	expect(problems(again)[1]).toMatchObject({ message: expect.stringContaining("is missing") });
});

it("finds a gap in a log and an event that was changed, while no bridge can say so", async () => {
	await using home = await workedHome();
	alter(home, "UPDATE event SET seq = seq + 100 WHERE id = (SELECT max(id) FROM event WHERE run = 1)");
	alter(home, 'UPDATE event SET body = \'{"type":"nonsense"}\' WHERE run = 2 AND seq = 3');
	const found = await verifyHome(home);
	expect(found.code).toBe(1);
	const logs = problems(found).filter(({ about }) => about === "logs");
	expect(logs.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^The log of run run-\S+ has a gap: event \d+ is missing\.$/),
		expect.stringMatching(/^The log of run run-\S+ is damaged at event 3\.$/),
	]);
	expect(logs[0]?.fix).toContain("restore FILE");
});

it("finds receipts that were changed", async () => {
	await using home = await workedHome();
	alter(home, "UPDATE event SET body = replace(body, 'Look around', 'Look closer') WHERE body LIKE '%receipt%'");
	const found = await verifyHome(home);
	expect(found.code).toBe(1);
	expect(problems(found).map(({ about }) => about)).toContain("receipts");
});
