import { isAbsolute, resolve } from "node:path";
import { type AgentDefinition, omitUndefined, type Unavailable } from "@xworkmate/contracts";
import { type CatalogueEntry, installFixOf } from "../../catalogue/catalogue.ts";
import type { AgentLaunch } from "./agent-launch.ts";

/** Derives how to start an agent from its entry in the catalogue. */
export function catalogueLaunch(entry: CatalogueEntry): AgentLaunch {
	const { providerId, label, command, args, environment, defaultEnvironment, resumes, loadDefect, npm } = entry;
	// This command offers every way to sign in, no matter how the agent was installed, and then tests the agent.
	const login = `npm run -s xworkmate -- agents login ${providerId}`;
	const launch = { providerId, label, command, args, environment, defaultEnvironment, login, resumes, ...omitUndefined({ loadDefect }) };
	return {
		...launch,
		signInVariables: signInVariables(entry),
		isCatalogued: true,
		installFix: npm === undefined ? installFixOf(entry) : `Install it: npm run -s xworkmate -- agents install ${providerId}`,
	};
}

/**
 * A user's own definition from providers.json. It replaces the catalogue's agent with the same id, but keeps that agent's sign-in command.
 * @param folder the folder of providers.json; a command with a path is relative to it
 * @param builtIn the catalogue's agent with the same id
 */
export function definedLaunch(definition: AgentDefinition, folder: string, builtIn: CatalogueEntry | undefined): AgentLaunch {
	return {
		providerId: definition.id,
		label: definition.name,
		...launchOf(definition, folder),
		defaultEnvironment: {},
		isCatalogued: false,
		resumes: builtIn?.resumes ?? false,
		...(builtIn === undefined ? {} : { login: builtIn.login }),
		signInVariables: builtIn === undefined ? [] : signInVariables(builtIn),
		...omitUndefined({ loadDefect: builtIn?.loadDefect }),
	};
}

function signInVariables({ auth }: CatalogueEntry): readonly string[] {
	return auth.flatMap(({ vars, env = {} }) => [...vars.map(({ name }) => name), ...Object.keys(env)]);
}

type Launch = Pick<AgentLaunch, "command" | "args" | "environment" | "installFix">;

function launchOf({ id, distribution }: AgentDefinition, folder: string): Launch {
	if ("command" in distribution) {
		const { cmd, args = [], env = {} } = distribution.command;
		const command = cmd.includes("/") && !isAbsolute(cmd) ? resolve(folder, cmd) : cmd;
		return {
			command,
			args,
			environment: env,
			installFix: `Install ${cmd}, or correct the command of ${id} in providers.json and restart the bridge.`,
		};
	}
	if ("npx" in distribution) {
		const { package: name, args = [], env = {} } = distribution.npx;
		return { command: "npx", args: ["--yes", name, ...args], environment: env, installFix: "Install Node.js, which includes npx." };
	}
	const { package: name, args = [], env = {} } = distribution.uvx;
	return { command: "uvx", args: [name, ...args], environment: env, installFix: "Install uv, which includes uvx." };
}

/** Reports that an agent cannot run because its command was not found. */
export function notInstalled({ label, command, installFix }: AgentLaunch): Unavailable {
	const where = isAbsolute(command) ? "" : " on PATH";
	return {
		code: "PROVIDER_NOT_INSTALLED",
		message: `${label} is not installed: the command ${command} was not found${where}.`,
		fix: installFix,
	};
}
