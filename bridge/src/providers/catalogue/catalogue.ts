import { AgentCatalogue, type CatalogueAgent, type CatalogueExtras, omitUndefined, type ProviderId } from "@xworkmate/contracts";
import shipped from "./agents.json" with { type: "json" };

/** The npm package that an agent is installed from. */
export interface NpmSource {
	/** The package's name, without its version. */
	readonly name: string;
	readonly version: string;
	/** The package's integrity, if the catalogue knows it. */
	readonly integrity?: string;
	/** True: the package's own lifecycle scripts have to run. */
	readonly needsScripts: boolean;
}

/** An agent that the bridge can start if its command is installed. */
export interface CatalogueEntry {
	readonly providerId: ProviderId;
	readonly label: string;
	readonly description: string;
	/** The version that XWorkmate offers to install. */
	readonly version: string;
	/** The command to look up on PATH. */
	readonly command: string;
	readonly args: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/** Variables that are set unless the environment already sets them. They make the agent ask before it acts. */
	readonly defaultEnvironment: Readonly<Record<string, string>>;
	/** The npm package of the agent. Without it, XWorkmate cannot install the agent. */
	readonly npm?: NpmSource;
	/** A terminal command that installs the agent. Absent: none is known. */
	readonly install?: string;
	/** The address of the agent's archive for this platform. */
	readonly archive?: string;
	/** A terminal command that signs in to the agent. */
	readonly login: string;
	/** The approximate size on disk. */
	readonly bytes?: number;
	/** Ways to sign in that the agent itself does not offer. */
	readonly auth: NonNullable<CatalogueExtras["auth"]>;
	/** Whether a conversation outlives the agent's process. */
	readonly resumes: boolean;
	/** Why session/load is not used although the agent offers it. */
	readonly loadDefect?: string;
}

/** The agents that the requirements name (T4-38) and others that were tested with them, each started so that it asks before it acts. */
export const catalogue: readonly CatalogueEntry[] = entriesOf(AgentCatalogue.parse(shipped));

/** The catalogue's agents as they are installed and started. */
export function entriesOf({ agents }: AgentCatalogue): readonly CatalogueEntry[] {
	return agents.map(entryOf);
}

function entryOf(agent: CatalogueAgent): CatalogueEntry {
	const { id, name, description, version, distribution } = agent;
	const extras: CatalogueExtras = agent._meta?.xworkmate ?? {};
	const { npx, uvx } = distribution;
	const binary = distribution.binary?.[platformOf(process.platform, process.arch)];
	const { args = [], env = {} } = npx ?? uvx ?? binary ?? {};
	const npm = npx === undefined ? undefined : npmSourceOf(npx.package, extras);
	const command = extras.command ?? (npx ? lastPart(nameOf(npx.package)) : uvx ? pythonCommand(uvx.package) : lastPart(binary?.cmd ?? id));
	return {
		providerId: id,
		label: name,
		description,
		version: npm?.version ?? version,
		command,
		args,
		environment: env,
		defaultEnvironment: extras.defaultEnv ?? {},
		login: extras.login ?? command,
		auth: extras.auth ?? [],
		resumes: extras.resumes ?? false,
		...omitUndefined({ npm, bytes: extras.bytes, loadDefect: extras.loadDefect }),
		...omitUndefined({ install: extras.install ?? installOf(distribution), archive: binary?.archive }),
	};
}

/** How the user can install an agent without XWorkmate. Pure. */
export function installFixOf({ label, command, install, archive }: CatalogueEntry): string {
	if (install !== undefined) return `Install it in a terminal: ${install}`;
	if (archive !== undefined) return `Download it, unpack it, and put ${command} on PATH: curl -fLO "${archive}"`;
	return `See ${label}'s own website for how to install it.`;
}

function installOf({ npx, uvx }: CatalogueAgent["distribution"]): string | undefined {
	if (npx !== undefined) return `npm install -g ${nameOf(npx.package)}`;
	return uvx === undefined ? undefined : `uv tool install "${uvx.package}"`;
}

function npmSourceOf(named: string, { scripts = false, integrity }: CatalogueExtras): NpmSource {
	const name = nameOf(named);
	return { name, version: named.slice(name.length + 1), needsScripts: scripts, ...omitUndefined({ integrity }) };
}

/** The name of a package without its version: `@scope/name` for `@scope/name@1.2.3`. */
function nameOf(named: string): string {
	return named.slice(0, named.lastIndexOf("@"));
}

function lastPart(path: string): string {
	return path.split("/").at(-1) ?? path;
}

/** The command of a Python package: `some-agent` for `some-agent[acp]==1.2.3`. */
function pythonCommand(named: string): string {
	return /^[A-Za-z0-9._-]+/.exec(named)?.[0] ?? named;
}

/** The platform as the ACP registry names it: `linux-x86_64`. */
function platformOf(platform: string, architecture: string): string {
	const system = platform === "win32" ? "windows" : platform;
	return `${system}-${architecture === "arm64" ? "aarch64" : "x86_64"}`;
}
