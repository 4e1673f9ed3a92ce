import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/app/command.ts";
import { listThreads } from "../support/app/started-app.ts";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { type FollowedRun, settle } from "../support/bridge/settle.ts";
import { temporaryHome } from "../support/machine/temporary-home.ts";
import {
	gatewaySettings,
	gatewayTurn,
	requestsAbout,
	sessionsWith,
	suiteGateway,
	useGatewayBridge,
} from "../support/openclaw/openclaw-suite.ts";
import { sha256Of } from "../support/wire/served-artifacts.ts";
import { turn } from "../support/wire/turn.ts";

const gateway = suiteGateway();
const client = useGatewayBridge();

const hashedKey = expect.stringMatching(/^agent:main:xwm-[0-9a-f]{24}$/);

it("[T4-14] [T4-22] [T4-23] [T4-25] [T4-27] [T4-39] brings what a tool of the gateway writes into the thread's folder, and goes on in the same thread", async () => {
	await using home = await temporaryHome();
	const env = gatewaySettings(gateway);
	const words =
		"FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/report.md # hello ;; RUN mkdir $XWORKMATE_ARTIFACT_DIRECTORY/data && printf 1,2 > $XWORKMATE_ARTIFACT_DIRECTORY/data/numbers.csv ;; SAY both are written";
	const run = ["run", "--target", "gateway", "--provider", "openclaw", "--require", "report.md"];
	const first = await runCommand(home, [...run, words], { env, boundMs: 60_000 });
	expect(first.code, first.stdout + first.stderr).toBe(0);
	expect(first.stdout).toContain("both are written");
	const files = await syncedFiles(home);
	expect(Object.values(files).sort()).toEqual([sha256Of("# hello"), sha256Of("1,2")].sort());
	const [thread] = await listThreads(home);
	expect(thread).toMatchObject({ lastResultCode: "success", lastArtifactSyncStatus: "synced" });

	const again = "FAKE:RUN printf more > $XWORKMATE_ARTIFACT_DIRECTORY/report.md ;; SAY once more";
	const second = await runCommand(home, [...run, "--thread", thread?.threadId ?? "", again], { env, boundMs: 60_000 });
	expect(second.code, second.stdout + second.stderr).toBe(0);
	const [session] = Object.keys(files)[0]?.split("/") ?? [];
	expect(await syncedFiles(home)).toMatchObject({ [`${session}/report.md`]: sha256Of("more") });

	const sessions = await sessionsWith("numbers.csv");
	expect(sessions, "one session of the gateway for both turns").toEqual([
		{ key: hashedKey, said: [expect.any(String), expect.any(String)] },
	]);
	for (const text of sessions[0]?.said ?? [])
		expect(text, "[T4-77] only the person's words in the transcript").not.toMatch(/workspace context|Final files of this task/i);
	const [asked] = await requestsAbout(again);
	expect(asked, "the conversation goes on").toContain("both are written");
	expect(asked, "the model is told where files go").toContain(join(gateway.workspace, "tasks", session ?? ""));
});

it("[T4-16] [T4-24] [T4-29] [T4-73] uses a hashed session key and a scope of this session and run on the gateway", async () => {
	const params = gatewayTurn("FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/a.txt from the gateway ;; SAY done", {
		threadId: "draft:a key of the app",
		required: ["a.txt"],
		more: { workspaceContext: "TaskThread workspace context\ncurrentTaskWorkspace: $XWORKMATE_ARTIFACT_DIRECTORY" },
	});
	const { snapshot } = await settle(client, params);
	expect(snapshot).toMatchObject({ status: "completed", provider: { target: "gateway", providerId: "openclaw" }, artifacts: { count: 1 } });
	const there = join(gateway.workspace, ...snapshot.artifactScope.split("/"));
	expect(await readFile(join(there, "a.txt"), "utf8")).toBe("from the gateway");
	expect(snapshot.artifacts.items[0]?.sha256).toBe(sha256Of("from the gateway"));
	expect(await sessionsWith("from the gateway")).toMatchObject([{ key: hashedKey }]);
	const [asked] = await requestsAbout("from the gateway");
	expect(asked).toContain(`currentTaskWorkspace: ${there}`);
});

it("[T4-26] [T4-91] keeps two threads at once and a foreign client's run apart: text, events and files", async () => {
	using operator = await gateway.connect();
	const write = (name: string) =>
		`FAKE:RUN sleep 0.5 ;; WRITE $XWORKMATE_ARTIFACT_DIRECTORY/${name}.txt ${name} here ;; RUN sleep 0.5 ;; SAY ${name} was said`;
	const foreign = operator.request("chat.send", {
		sessionKey: `agent:main:foreign-${process.pid}`,
		message: `FAKE:RUN sleep 0.4 ;; WRITE ${gateway.workspace}/gamma.txt gamma here ;; SAY gamma was said`,
		idempotencyKey: `foreign-${process.pid}`,
	});
	const names = ["alpha", "beta"];
	const runs = await Promise.all(names.map((name) => settle(client, gatewayTurn(write(name)))));
	await foreign;
	for (const [index, name] of names.entries()) {
		const run = runs[index];
		expect(run?.snapshot).toMatchObject({ status: "completed", output: { text: `${name} was said` }, artifacts: { count: 1 } });
		expect(run?.snapshot.artifacts.items.map(({ relativePath }) => relativePath)).toEqual([`${name}.txt`]);
		const told = JSON.stringify([run?.snapshot, run?.updates]);
		for (const other of ["alpha", "beta", "gamma"].filter((word) => word !== name)) expect(told).not.toContain(other);
	}
	const everything = JSON.stringify(operator.events);
	for (const name of names) expect(everything, "the gateway tells every operator").toContain(`${name} was said`);
});

it("[T4-41] gives a run of the gateway and one of an agent the same shape", async () => {
	const write = "await tools.files.write({path:'a.txt', text:'x'}); return 'done'";
	const [agent, remote] = await Promise.all([
		settle(client, turn({ prompt: write, providerId: "script" })),
		settle(client, gatewayTurn("FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/a.txt x ;; SAY done")),
	]);
	// Only a run on a gateway has calls that something else reports.
	const fields = ({ snapshot: { activity: _done, receipts: _of, ...rest } }: FollowedRun) => [
		Object.keys(rest).sort(),
		Object.keys(rest.artifacts.items[0] ?? {}).sort(),
	];
	expect(fields(remote)).toEqual(fields(agent));
	expect(remote.snapshot.artifacts.digest).toBe(agent.snapshot.artifacts.digest);
});
