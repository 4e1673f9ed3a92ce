import { OPENCLAW_CONTRACT_VERSION, type PassingGatewayCode, type Unavailable, withFullStop } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { z } from "zod";
import { callPlugin } from "./gateway/gateway-api.ts";
import type { GatewayBounds } from "./gateway/gateway-bounds.ts";
import { GatewayDisconnected, GatewayRefusal, isPluginCode, PluginAway } from "./gateway/gateway-error.ts";
import type { GatewayLink } from "./gateway/gateway-link.ts";
import { trialRun } from "./trial-run.ts";

export interface DiagnoseOptions {
	readonly bounds: Pick<GatewayBounds, "requestMs">;
	readonly allowUntested: boolean;
}

const ON_GATEWAY = "On the gateway's machine,";
const INSTALL = `${ON_GATEWAY} install this release's plugin (docs/openclaw.md, step 3).`;
const RIGHT_OPENCLAW = "npm i -g openclaw@2026.9.6";
const UNTESTED = "GATEWAY_VERSION_UNTESTED";

/** The command from docs/openclaw.md, step 3. */
const INSTALL_PACKED =
	"openclaw plugins install npm-pack:openclaw-plugins/xworkmate-openclaw-plugins-0.1.0.tgz --force --accept-capabilities";

const Plugins = z.object({ plugins: z.array(z.object({ id: z.string(), state: z.string().optional().catch(undefined) })) });

/**
 * Says why a connected gateway cannot be used, with the fix; undefined once the plugin has prepared a run and released it. Every call
 * checks again, because plugins can be added and removed in a running gateway.
 */
export async function diagnoseGateway(
	link: GatewayLink,
	{ bounds: { requestMs }, allowUntested }: DiagnoseOptions,
): Promise<Unavailable | undefined> {
	try {
		const { contractVersion, pluginVersion, problems } = await callPlugin(link, "xworkmate.doctor", {}, requestMs);
		if (contractVersion !== OPENCLAW_CONTRACT_VERSION) return otherPlugin(pluginVersion, contractVersion < OPENCLAW_CONTRACT_VERSION);
		const problem = problems.find(({ code }) => !(allowUntested && code === UNTESTED));
		return problem ?? (await trialProblem(link, requestMs, pluginVersion));
	} catch (error) {
		if (error instanceof PluginAway) return error.isUnknown ? notLoaded(link) : reloading;
		if (error instanceof GatewayDisconnected) return notAnswering;
		return unusable(error);
	}
}

export const notAnswering: Unavailable & { readonly code: PassingGatewayCode } = {
	code: "GATEWAY_CONNECTING",
	message: "The gateway has not responded yet.",
	fix: "Wait a few seconds. If the gateway takes longer than a minute, restart it.",
};

const reloading: Unavailable & { readonly code: PassingGatewayCode } = {
	code: "GATEWAY_STARTING",
	message: "The gateway is reloading its XWorkmate plugin.",
	fix: "Wait a few seconds. If the gateway takes longer than a minute, restart it.",
};

/**
 * Prepares a run and releases it, so that none remains. First releases the run of an earlier trial, which remains if an answer was lost.
 */
async function trialProblem(link: GatewayLink, ms: number, pluginVersion: string): Promise<Unavailable | undefined> {
	const run = trialRun(link.deviceId);
	try {
		await callPlugin(link, "xworkmate.session.release", run, ms);
	} catch (error) {
		// The plugin has just answered `xworkmate.doctor`, so it is loaded and only lacks this method.
		if (error instanceof PluginAway && error.isUnknown) return earlierPlugin(pluginVersion);
		if (!isPluginCode(error, "RUN_UNKNOWN")) throw error;
	}
	try {
		await callPlugin(link, "xworkmate.session.prepare", { ...run, hold: "none" }, ms);
	} catch (error) {
		if (error instanceof GatewayRefusal) return cannotPrepare(error);
		throw error;
	}
	await callPlugin(link, "xworkmate.session.release", run, ms);
	return undefined;
}

/** Why the gateway does not have the plugin's methods, as far as the gateway reports it. */
async function notLoaded(link: GatewayLink): Promise<Unavailable> {
	const { version } = link.hello.server;
	if (isOlder(version)) {
		return {
			code: "GATEWAY_VERSION_TOO_OLD",
			message: `The gateway runs OpenClaw ${version}, but the XWorkmate plugin needs OpenClaw 2026.9.`,
			fix: `${ON_GATEWAY} run \`${RIGHT_OPENCLAW}\`, restart the gateway, and install the plugin (docs/openclaw.md, step 3).`,
		};
	}
	const state = await pluginState(link);
	if (state === "disabled") {
		return {
			code: "GATEWAY_PLUGIN_DISABLED",
			message: "The gateway's XWorkmate plugin is turned off.",
			fix: `${ON_GATEWAY} run \`openclaw plugins enable xworkmate\`.`,
		};
	}
	if (state !== undefined) return broken(`the gateway lists it as ${state}`);
	// OpenClaw before 2026.9.5 loads plugins only when it starts.
	const fix = `${INSTALL} If the plugin is already installed, restart the gateway.`;
	return { code: "GATEWAY_PLUGIN_MISSING", message: "The gateway has not loaded the XWorkmate plugin.", fix };
}

/** The plugin's state at the gateway; undefined if the gateway does not list it. */
async function pluginState(link: GatewayLink): Promise<string | undefined> {
	try {
		const { plugins } = Plugins.parse(await link.call("plugins.list", {}));
		const listed = plugins.find(({ id }) => id === "xworkmate");
		return listed && (listed.state ?? "not loaded");
	} catch (error) {
		// An OpenClaw whose list is missing or malformed does not report whether the plugin is installed.
		if (error instanceof GatewayRefusal || error instanceof z.ZodError) return undefined;
		throw error;
	}
}

function isOlder(version: string): boolean {
	const [, year, month] = /^(\d{4})\.(\d+)\./.exec(version) ?? [];
	return Number(year) * 12 + Number(month) < 2026 * 12 + 9;
}

function otherPlugin(pluginVersion: string, isOld: boolean): Unavailable {
	const age = isOld ? "too old" : "newer than this bridge";
	return { code: "GATEWAY_PLUGIN_VERSION", message: `The gateway's XWorkmate plugin ${pluginVersion} is ${age}.`, fix: INSTALL };
}

function earlierPlugin(pluginVersion: string): Unavailable {
	return {
		code: "GATEWAY_PLUGIN_VERSION",
		message: `The gateway's XWorkmate plugin ${pluginVersion} is too old: it can't release a run that it prepared.`,
		fix: `${ON_GATEWAY} build and pack this release's plugin (docs/openclaw.md, step 3), then run \`${INSTALL_PACKED}\`.`,
	};
}

function cannotPrepare({ message }: GatewayRefusal): Unavailable {
	return {
		code: "GATEWAY_PLUGIN_UNUSABLE",
		message: `The gateway's XWorkmate plugin can't prepare a run: ${withFullStop(message)}`,
		fix: `${ON_GATEWAY} check that OpenClaw can create folders in its agent's workspace and that the disk is not full.`,
	};
}

function unusable(error: unknown): Unavailable {
	const scope = error instanceof GatewayRefusal ? error.facts.missingScope : undefined;
	if (scope === undefined) return broken(errorMessage(error));
	return {
		code: "GATEWAY_SCOPE_MISSING",
		message: `The gateway doesn't grant this bridge the permission ${scope}.`,
		fix: `${ON_GATEWAY} run \`openclaw devices list\`, then approve this bridge's device again with that permission: \`openclaw devices approve <requestId>\`.`,
	};
}

function broken(why: string): Unavailable {
	const message = `The gateway's XWorkmate plugin isn't working: ${withFullStop(why)}`;
	return {
		code: "GATEWAY_PLUGIN_UNUSABLE",
		message,
		fix: `${ON_GATEWAY} restart the gateway. If that doesn't help, reinstall this release's plugin (docs/openclaw.md, step 3).`,
	};
}
