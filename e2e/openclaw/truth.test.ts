import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/app/command.ts";
import { listThreads } from "../support/app/started-app.ts";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { settle } from "../support/bridge/settle.ts";
import { temporaryHome } from "../support/machine/temporary-home.ts";
import { gatewaySettings, gatewayTurn, sessionsWith, suiteGateway, useGatewayBridge } from "../support/openclaw/openclaw-suite.ts";
import { sha256Of } from "../support/wire/served-artifacts.ts";
import type { TaskSnapshot } from "../support/wire/wire.ts";

const scope = "$XWORKMATE_ARTIFACT_DIRECTORY";
const missing = {
	status: "artifact_missing",
	success: false,
	code: "OPENCLAW_REQUIRED_ARTIFACT_MISSING",
	message: expect.stringContaining("openclaw returned partial artifacts without required final deliverables"),
};

const gateway = suiteGateway();
const client = useGatewayBridge();

async function sessionKeyOf(words: string): Promise<string> {
	const [session] = await sessionsWith(words);
	return session?.key ?? "";
}

function paths(snapshot: TaskSnapshot): readonly string[] {
	return snapshot.artifacts.items.map(({ relativePath }) => relativePath);
}

describe.concurrent("what does not count", () => {
	it.for([
		["[T4-30] a file that is only claimed", "FAKE:SAY I wrote report.md into the folder.", []],
		["[T4-31] a placeholder", `FAKE:RUN touch ${scope}/report.md ${scope}/.gitkeep ;; SAY report.md is there`, [".gitkeep", "report.md"]],
		[
			"[T4-32] a file in the gateway's workspace",
			"FAKE:WRITE report.md global ;; RUN cp report.md ../workspace/other.md ;; SAY written",
			[],
		],
		["a symlink to a file of the machine", `FAKE:RUN ln -s /etc/passwd ${scope}/report.md ;; SAY linked`, ["report.md"]],
		["a named pipe", `FAKE:RUN mkfifo ${scope}/report.md ;; SAY piped`, ["report.md"]],
		["a link out of the scope", `FAKE:RUN ln /etc/hostname ${scope}/report.md || ln -s / ${scope}/report.md ;; SAY linked`, ["report.md"]],
	] as const)("%s", async ([, prompt, refused], { expect }) => {
		const { snapshot } = await settle(client, gatewayTurn(prompt, { required: ["report.md"] }));
		expect(snapshot).toMatchObject(missing);
		expect(paths(snapshot).filter((path) => path === "report.md" && snapshot.artifacts.items[0]?.sizeBytes !== 0)).toEqual([]);
		const reasons = snapshot.rejectedArtifacts.map(({ path, reason }) => `${path}: ${reason}`);
		for (const path of refused) expect(reasons.join(), `the reason for ${path}`).toContain(path);
	});

	it("[T4-33] a file of the previous run, left there or linked into the new scope", async ({ expect }) => {
		const first = await settle(client, gatewayTurn(`FAKE:WRITE ${scope}/report.md the first ;; SAY done`, { required: ["report.md"] }));
		expect(first.snapshot).toMatchObject({ status: "completed", artifacts: { count: 1 } });
		const [, session, run] = first.snapshot.artifactScope.split("/");
		const earlier = join(gateway.workspace, "tasks", session ?? "", run ?? "", "report.md");
		const { threadId } = first.snapshot;
		const next = { threadId, required: ["report.md"] };
		for (const prompt of ["FAKE:SAY report.md is there already", `FAKE:RUN ln -f ${earlier} ${scope}/report.md ;; SAY linked`]) {
			const { snapshot } = await settle(client, gatewayTurn(prompt, next), { method: "session.message" });
			expect(snapshot).toMatchObject({ ...missing, artifacts: { count: 0 } });
		}
		const again = await settle(client, gatewayTurn(`FAKE:WRITE ${scope}/report.md the third ;; SAY done`, next), {
			method: "session.message",
		});
		expect(again.snapshot).toMatchObject({ status: "completed", artifacts: { items: [{ sha256: sha256Of("the third") }] } });
	});

	it("[T4-91] a file of another session's run", async ({ expect }) => {
		const theirs = await settle(client, gatewayTurn(`FAKE:WRITE ${scope}/theirs.md secret of theirs ;; SAY done`));
		const there = join(gateway.workspace, ...theirs.snapshot.artifactScope.split("/"));
		const ours = await settle(client, gatewayTurn(`FAKE:RUN ln -s ${there}/theirs.md ${scope}/theirs.md; ls ${there} ;; SAY done`));
		expect(ours.snapshot).toMatchObject({ artifacts: { count: 0 }, rejectedArtifacts: [{ path: "theirs.md" }] });
	});

	it("[T4-48] text alone, where files have to be exported", async ({ expect }) => {
		const { snapshot } = await settle(client, gatewayTurn("FAKE:SAY it is all here", { requiresExport: true }));
		expect(snapshot).toMatchObject({ status: "artifact_missing", code: "NO_EXPORTED_ARTIFACTS", artifacts: { count: 0 } });
	});
});

it("[T4-27] counts what an archive unpacked, however old its times", async () => {
	await mkdir(join(gateway.workspace, "packed"), { recursive: true });
	await writeFile(join(gateway.workspace, "packed", "old.txt"), "from an archive");
	const pack = "touch -d 2001-02-03 packed/old.txt && tar -cf packed.tar packed";
	const { snapshot } = await settle(
		client,
		gatewayTurn(`FAKE:RUN cd ${gateway.workspace} && ${pack} && tar -C ${scope} -xpf packed.tar ;; SAY unpacked`, {
			required: ["packed/old.txt"],
		}),
	);
	expect(snapshot).toMatchObject({ status: "completed", success: true });
	expect(snapshot.artifacts.items).toMatchObject([{ relativePath: "packed/old.txt", sha256: sha256Of("from an archive") }]);
});

it("[T4-28] [T4-91] refuses to tell or hand out anything of a run under another session, run or scope", async () => {
	const runs = await Promise.all(
		["one", "two"].map((name) => settle(client, gatewayTurn(`FAKE:WRITE ${scope}/${name}.txt ${name} of a person ;; SAY done`))),
	);
	const keys = await Promise.all(["one of a person", "two of a person"].map(sessionKeyOf));
	const [one, two] = runs.map(({ snapshot: { runId, artifactScope } }, index) => ({ runId, artifactScope, sessionKey: keys[index] ?? "" }));
	if (one === undefined || two === undefined) throw new Error("no two runs");
	using operator = await gateway.connect();
	const mixed = [
		{ ...one, sessionKey: two.sessionKey },
		{ ...one, artifactScope: two.artifactScope },
		{ ...one, runId: two.runId },
	];
	for (const ref of mixed) {
		for (const [method, more] of [
			["xworkmate.tasks.get", {}],
			["xworkmate.artifacts.export", { limit: 10 }],
			["xworkmate.artifacts.read", { relativePath: "one.txt", offset: 0, length: 10 }],
		] as const) {
			await expect(operator.request(method, { ...ref, ...more }), method).rejects.toThrow("SCOPE_MISMATCH");
		}
		const query = new URLSearchParams({ sessionKey: ref.sessionKey, artifactScope: ref.artifactScope });
		const address = `http://127.0.0.1:${gateway.place.port}/xworkmate/artifacts/${ref.runId}/one.txt?${query}`;
		const served = await fetch(address, { headers: { authorization: `Bearer ${gateway.place.token}` } });
		expect([served.status, await served.text()]).toEqual([409, expect.stringContaining("SCOPE_MISMATCH")]);
	}
	expect(await operator.request("xworkmate.tasks.get", one)).toMatchObject({ state: "completed", runId: one.runId });
});

it("[T4-74] [T4-89] lists a partial set, syncs none of it and says why", async () => {
	await using home = await temporaryHome();
	const env = gatewaySettings(gateway);
	const flags = ["run", "--target", "gateway", "--provider", "openclaw", "--require", "a.md", "--require", "b.md"];
	const prompt = `FAKE:WRITE ${scope}/a.md half ;; RUN ln -s /etc/passwd ${scope}/b.md ;; SAY both are there`;
	const ended = await runCommand(home, [...flags, prompt], { env, boundMs: 60_000 });
	expect(ended.code, ended.stdout + ended.stderr).toBe(4);
	const told = ended.stdout + ended.stderr;
	expect(told).toContain("OPENCLAW_REQUIRED_ARTIFACT_MISSING");
	expect(told).toContain("openclaw returned partial artifacts without required final deliverables");
	expect(told).toContain("rejected: b.md (symbolic link)");
	expect(await syncedFiles(home)).toEqual({});
	expect(await listThreads(home)).toMatchObject([{ lifecycleStatus: "ready", lastResultCode: "OPENCLAW_REQUIRED_ARTIFACT_MISSING" }]);
});
