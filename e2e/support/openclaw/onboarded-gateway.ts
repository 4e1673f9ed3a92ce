import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPrograms } from "../../agents/install.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { GatewayRefused } from "./openclaw-client.ts";
import type { GatewayPlace } from "./openclaw-config.ts";
import { documentedBlock, runDocumented } from "./openclaw-document.ts";
import { freeGatewayPort, OpenClawGateway } from "./openclaw-gateway.ts";

const RELOAD_BOUND_MS = 90_000;

/** Where an onboarded gateway will live; nothing of it is there yet. */
export async function onboardedPlace(): Promise<GatewayPlace> {
	const folder = await mkdtemp(join(tmpdir(), "openclaw-onboarded-"));
	return { folder, port: await freeGatewayPort(), token: "token-of-the-onboarded-gateway", onboarded: true };
}

/** A gateway as people have one: onboarded by the command of docs/openclaw.md, with OpenClaw's defaults (tool search, config reload, heartbeat). */
export async function onboardGateway(place: GatewayPlace, modelUrl: string): Promise<OpenClawGateway> {
	await installPrograms(["openclaw"]);
	for (const name of ["home", "tmp"]) await mkdir(join(place.folder, name), { recursive: true });
	const gateway = new OpenClawGateway(place);
	const documented = await documentedBlock(1, "--non-interactive");
	const ofTheSuite = documented.replace("https://models.example", modelUrl).replace("a-model", "fake-model").trimEnd();
	await runDocumented(gateway, `${ofTheSuite} --gateway-port ${place.port} --gateway-token ${place.token}`, { MODEL_KEY: "dummy" });
	await keepLogInside(gateway);
	await gateway.start();
	return gateway;
}

/**
 * Installs the plugin as docs/openclaw.md says, into a gateway that runs. The plugin has to be built already: the line that builds it is
 * left out, because building removes its files for a moment.
 */
export async function installPlugin(gateway: OpenClawGateway): Promise<void> {
	const lines = (await documentedBlock(3, "npm pack")).split("\n").filter((line) => !line.includes(" run build"));
	await applied(gateway, () => runDocumented(gateway, lines.join("\n")));
}

/** Sets one of the plugin's hook permissions with OpenClaw's own command. */
export async function changeHook(gateway: OpenClawGateway, hook: string): Promise<void> {
	const command = ["config", "set", `plugins.entries.xworkmate.hooks.${hook}`, "true"];
	await applied(gateway, () => gateway.command(command));
}

/** Waits besides until the gateway has taken up a change of the plugin's hooks: the command for it ends earlier. */
async function applied(gateway: OpenClawGateway, change: () => Promise<unknown>): Promise<void> {
	const count = async () => (await gateway.output()).split("config hot reload applied (plugins.entries.xworkmate.hooks").length;
	const before = await count();
	await change();
	await waitUntil("the gateway's reload", RELOAD_BOUND_MS, async () => ((await count()) > before ? true : undefined));
}

/** Replaces the running plugin by a fresh instance of it, as every change of its settings does. */
export async function reloadPlugin(gateway: OpenClawGateway): Promise<void> {
	using operator = await gateway.connect();
	await waitUntil("the plugin's reload", RELOAD_BOUND_MS, () =>
		operator.request("plugins.reload", { plugins: [{ pluginId: "xworkmate" }] }, RELOAD_BOUND_MS).catch(busyNow),
	);
}

/** Undefined for the refusal of a gateway that still carries out another change; others are thrown on. */
function busyNow(error: unknown): undefined {
	if (!(error instanceof GatewayRefused) || error.error.retryable !== true) throw error;
}

/** OpenClaw's default is a folder that all gateways of a machine share. */
async function keepLogInside({ stateFolder, place }: OpenClawGateway): Promise<void> {
	const path = join(stateFolder, "openclaw.json");
	const config: object = JSON.parse(await readFile(path, "utf8"));
	await writeFile(path, JSON.stringify({ ...config, logging: { file: join(place.folder, "gateway.jsonl") } }));
}
