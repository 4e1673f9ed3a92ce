import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPrograms } from "../agents/install.ts";
import { GatewayRefused } from "./openclaw-client.ts";
import type { GatewayPlace } from "./openclaw-config.ts";
import { freeGatewayPort, OpenClawGateway } from "./openclaw-gateway.ts";
import { packPlugin } from "./openclaw-plugin.ts";
import { waitUntil } from "./wait-until.ts";

const RELOAD_BOUND_MS = 90_000;

/** Where an onboarded gateway will live; nothing of it is there yet. */
export async function onboardedPlace(): Promise<GatewayPlace> {
	const folder = await mkdtemp(join(tmpdir(), "openclaw-onboarded-"));
	return { folder, port: await freeGatewayPort(), token: "token-of-the-onboarded-gateway", onboarded: true };
}

/** A gateway as people have one: onboarded by OpenClaw's own command, with its defaults (tool search, config reload, heartbeat). */
export async function onboardGateway(place: GatewayPlace, modelUrl: string): Promise<OpenClawGateway> {
	await installPrograms(["openclaw"]);
	for (const name of ["home", "tmp"]) await mkdir(join(place.folder, name), { recursive: true });
	const gateway = new OpenClawGateway(place);
	const model = ["--auth-choice", "custom-api-key", "--custom-base-url", `${modelUrl}/v1`, "--custom-model-id", "fake-model"];
	const access = ["--gateway-port", String(place.port), "--gateway-auth", "token", "--gateway-token", place.token];
	const skipped = ["--no-install-daemon", "--skip-health", "--skip-skills", "--skip-channels"];
	const mode = ["--non-interactive", "--accept-risk", "--mode", "local", "--gateway-bind", "loopback"];
	await gateway.command(["onboard", ...mode, ...model, "--custom-api-key", "dummy", ...access, ...skipped]);
	await keepLogInside(gateway);
	await gateway.start();
	return gateway;
}

/** Installs the plugin as docs/openclaw.md says, into a gateway that runs. */
export async function installPlugin(gateway: OpenClawGateway): Promise<void> {
	const archive = packPlugin(gateway.place.folder);
	await gateway.command(["plugins", "install", `npm-pack:${archive}`, "--force", "--accept-capabilities"]);
	await changeHook(gateway, "allowConversationAccess");
}

/** Sets one of the plugin's hook permissions with OpenClaw's own command, which ends before the gateway has taken it up. */
export async function changeHook(gateway: OpenClawGateway, hook: string): Promise<void> {
	const applied = async () => (await gateway.output()).split("config hot reload applied (plugins.entries.xworkmate.hooks").length;
	const before = await applied();
	await gateway.command(["config", "set", `plugins.entries.xworkmate.hooks.${hook}`, "true"]);
	await waitUntil("the gateway's reload", RELOAD_BOUND_MS, async () => ((await applied()) > before ? true : undefined));
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
