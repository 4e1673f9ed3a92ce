import type { Unavailable } from "@xworkmate/contracts";
import { isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import type { NpmSource } from "../providers/catalogue/catalogue.ts";

/** Thrown when an installation cannot continue. Nothing that was downloaded is used. */
export class InstallFailure extends Error {
	override readonly name = "InstallFailure";
	readonly code = "INSTALL_FAILED";
	readonly problem: Unavailable;

	constructor(problem: Unavailable) {
		super(problem.message);
		this.problem = problem;
	}
}

interface Words {
	readonly code: string;
	readonly message: (source: NpmSource) => string;
	readonly fix: string;
}

const unreachable: Words = {
	code: "REGISTRY_UNREACHABLE",
	message: () => "The npm registry can't be reached.",
	fix: "Check the connection and the proxy, then try again.",
};
const refused: Words = {
	code: "REGISTRY_REFUSED",
	message: ({ name }) => `The npm registry refuses to provide ${name} or a package that it needs.`,
	fix: "Sign in to the registry, or correct .npmrc, then try again.",
};
const untrusted: Words = {
	code: "REGISTRY_UNTRUSTED",
	message: () => "Node doesn't trust the certificate of the registry, or of a proxy in front of it.",
	fix: "Set NODE_EXTRA_CA_CERTS, or cafile in .npmrc, to the path of the certificate file, then restart XWorkmate and try again.",
};
const expired: Words = {
	code: "REGISTRY_UNTRUSTED",
	message: () => "The certificate of the registry, or of a proxy in front of it, has expired.",
	fix: "Check this computer's date and time. If they are right, try again once the certificate has been renewed.",
};
const missing: Words = {
	code: "PACKAGE_NOT_FOUND",
	message: ({ name, version }) => `The npm registry has no ${name} ${version}, or lacks a package that it needs.`,
	fix: "Correct the package in agents.json, or check which registry .npmrc names.",
};
const noSpace: Words = {
	code: "DISK_FULL",
	message: () => "There is no space left on the disk. Anything that was downloaded has been removed.",
	fix: "Free some space, then try again.",
};
const notWritable: Words = {
	code: "NOT_WRITABLE",
	message: () => "The agents' folder can't be written to.",
	fix: "Make the data folder writable, then try again.",
};
// The code does not say which file it was: a script of the package may have opened it.
const notPermitted: Words = {
	code: "NOT_PERMITTED",
	message: () => "Permission to use a file or folder was denied.",
	fix: "Check that you can read and write the data folder, then try again.",
};
const altered: Words = {
	code: "INTEGRITY",
	message: ({ name }) =>
		`A package in the download of ${name} does not match the registry's record of it. The download was removed, and none of it was run.`,
	fix: "Try again. If this happens again, don't install from this registry: packages may be altered in transit.",
};

const byCode: Readonly<Record<string, Words>> = {
	E404: missing,
	ETARGET: missing,
	ENOVERSIONS: missing,
	EINTEGRITY: altered,
	ENOSPC: noSpace,
	EDQUOT: noSpace,
	EACCES: notPermitted,
	EPERM: notPermitted,
	EROFS: notWritable,
	E401: refused,
	E403: refused,
	ENOTFOUND: unreachable,
	ECONNREFUSED: unreachable,
	ECONNRESET: unreachable,
	ETIMEDOUT: unreachable,
	EAI_AGAIN: unreachable,
	ERR_SOCKET_TIMEOUT: unreachable,
	SELF_SIGNED_CERT_IN_CHAIN: untrusted,
	DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
	CERT_HAS_EXPIRED: expired,
	EBADPLATFORM: {
		code: "PLATFORM_UNSUPPORTED",
		message: ({ name }) => `${name} doesn't run on this kind of computer.`,
		fix: "Choose another agent.",
	},
};

/** The failure behind an error code of npm or of the system; undefined if the code says nothing useful. */
export function failureOf(code: string | undefined, source: NpmSource): InstallFailure | undefined {
	const words = code === undefined ? undefined : byCode[code];
	return words && new InstallFailure({ code: words.code, message: words.message(source), fix: words.fix });
}

/** The failure behind a system error; undefined if its code says nothing useful, or for any other value. */
export function failureOfSystem(error: unknown, source: NpmSource): InstallFailure | undefined {
	const code = systemErrorCode(error);
	return failureOf(isDiskFullCode(code) ? "ENOSPC" : code, source);
}

/** Why npm failed, according to the code in its output. `fix` is used if the code says nothing useful. */
export function npmFailure(
	said: string,
	exit: number | null,
	source: NpmSource,
	fix = "Fix the problem that the log below shows, then try again.",
): InstallFailure {
	const [, code] = /^npm (?:error|ERR!) code (\S{1,40})$/m.exec(said) ?? [];
	const known = failureOf(code, source) ?? (said.includes("ENOSPC") ? failureOf("ENOSPC", source) : undefined);
	const how = exit === null ? "was terminated" : `ended with code ${exit}`;
	return known ?? failure("NPM_FAILED", `npm ${how}${code === undefined ? "" : ` (${code})`}.`, fix);
}

export function failure(code: string, message: string, fix: string): InstallFailure {
	return new InstallFailure({ code, message, fix });
}

export const noNpm = failure(
	"NPM_MISSING",
	"npm wasn't found next to Node or on PATH.",
	"Install Node.js from nodejs.org, which includes npm, then restart XWorkmate.",
);
