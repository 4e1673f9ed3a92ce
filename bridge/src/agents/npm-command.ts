import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/** How npm is started. */
export interface NpmCommand {
	/** Absolute path. */
	readonly command: string;
	readonly before: readonly string[];
}

export type Variables = Readonly<Record<string, string | undefined>>;

const CLI = "npm-cli.js";
/** Where npm is on most computers, for a bridge that was started with a short PATH. */
const USUAL_FOLDERS = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];

/** The npm that comes with this Node, or else one of `npm_execpath`, PATH or a usual folder, in that order. Undefined if there is none. */
export function findNpm(environment: Variables, node = process.execPath): NpmCommand | undefined {
	const real = realpathSync(node);
	const beside = [dirname(node), dirname(real)];
	const ofNode = beside.flatMap((folder) =>
		[join(folder, "..", "lib"), folder].map((root) => join(root, "node_modules", "npm", "bin", CLI)),
	);
	const given = environment.npm_execpath;
	const script = [...ofNode, ...(given?.endsWith(CLI) ? [given] : [])].find((path) => existsSync(path));
	if (script !== undefined) return { command: node, before: [script] };
	const onPath = (environment.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
	const program = [...onPath, ...USUAL_FOLDERS].map((folder) => join(folder, "npm")).find((path) => existsSync(path));
	if (program === undefined) return undefined;
	// The link points to the script, which this Node runs: the script's own first line would look for a `node` on PATH.
	const target = realpathSync(program);
	return target.endsWith(".js") ? { command: node, before: [target] } : { command: program, before: [] };
}

const PASSED =
	/^(?:PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|PATHEXT|TMPDIR|TEMP|TMP|LANG|LC_.*|TZ|TERM|USER|LOGNAME|SHELL|XDG_.*|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|(?:https?|no|all)_proxy)$/i;
/**
 * Settings that say where npm gets packages, through which proxy, with which credentials, timeouts and retries, and which
 * servers it trusts. Any other npm settings in the bridge's environment are not passed on.
 */
const NPM_SETTING =
	/^npm_config_[^_]*registry$|^npm_config_(?:userconfig|globalconfig|cafile|ca|strict_ssl|proxy|https_proxy|noproxy|fetch_.*|maxsockets|user_agent)$|^npm_config_(?:[^_]*:)?_auth/i;

/** The environment of npm and of package scripts. The only secrets in it are those that npm needs for its registry. */
export function npmEnvironment(environment: Variables, node = process.execPath): Readonly<Record<string, string>> {
	const passed = Object.entries(environment).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && (PASSED.test(entry[0]) || NPM_SETTING.test(entry[0])),
	);
	const path = [dirname(node), ...(environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "")].join(delimiter);
	return { ...Object.fromEntries(passed), PATH: path, CI: "1" };
}
