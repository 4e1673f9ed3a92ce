import { z } from "zod";
import type { NpmSource } from "../providers/catalogue/catalogue.ts";

const platforms = z.array(z.string()).optional().catch(undefined);
const LockedPackage = z.looseObject({
	version: z.string().optional(),
	resolved: z.string().optional(),
	integrity: z.string().optional(),
	link: z.boolean().optional(),
	inBundle: z.boolean().optional(),
	os: platforms,
	cpu: platforms,
	libc: platforms,
});
type LockedPackage = z.infer<typeof LockedPackage>;
const Lock = z.looseObject({ packages: z.record(z.string(), LockedPackage) });

export interface CheckedLock {
	/** The integrity of the agent's own package. */
	readonly integrity: string;
	/** How many packages this computer needs. */
	readonly packages: number;
}

const STRONG = /^sha(?:256|384|512)-[A-Za-z0-9+/=]+$/;

/**
 * Checks what npm is about to install: the version is the requested one, every package comes from an http or https address and has a hash,
 * against which npm then checks its bytes, and the hash of the agent's own package is the catalogue's, if it has one. A bundled package is
 * covered by the hash of the package that contains it.
 * @returns what the list says, or what is wrong with it, as a sentence
 */
export function checkLock(text: string, { name, version, integrity }: NpmSource): CheckedLock | string {
	const lock = Lock.safeParse(json(text)).data;
	const own = lock?.packages[`node_modules/${name}`];
	if (lock === undefined || own === undefined) return "npm did not write a package list that can be checked.";
	if (own.version !== version) return `The registry returned ${name} ${own.version ?? "without a version"} instead of ${version}.`;
	const packages = Object.entries(lock.packages).filter(([place]) => place !== "");
	for (const [place, found] of packages) {
		const what = packageProblem(found);
		if (what !== undefined) return `The package ${place.split("node_modules/").at(-1)} ${what}.`;
	}
	if (own.integrity === undefined) return `The package ${name} has no hash.`;
	if (integrity !== undefined && own.integrity !== integrity)
		return `The package ${name} from the registry is not the one in the catalogue: its hash differs.`;
	return { integrity: own.integrity, packages: packages.filter(([, found]) => isNeeded(found)).length };
}

/**
 * Checks what npm has installed: only packages that were on the list, each with the hash that it had there, apart from bundled ones.
 * @param installed the list that npm keeps beside the packages
 * @returns what is wrong, as a sentence
 */
export function checkInstalled(installed: string, checked: string): string | undefined {
	const listed = Lock.safeParse(json(checked)).data?.packages ?? {};
	const found = Lock.safeParse(json(installed)).data?.packages;
	if (found === undefined) return "npm did not write a list of the installed packages.";
	const other = Object.entries(found).find(([place, { integrity, inBundle }]) => {
		const before = Object.hasOwn(listed, place) ? listed[place] : undefined;
		return inBundle !== true && (before === undefined || before.integrity !== integrity);
	});
	return other === undefined ? undefined : `npm installed ${other[0].split("node_modules/").at(-1)}, which is not what was checked.`;
}

function packageProblem({ resolved, integrity, link, inBundle }: LockedPackage): string | undefined {
	// The package is inside another one, whose hash covers it.
	if (inBundle === true) return undefined;
	if (link === true || resolved === undefined || !/^https?:\/\//.test(resolved)) return "doesn't come from a registry";
	return integrity === undefined || !integrity.split(" ").every((hash) => STRONG.test(hash))
		? "has no hash to check it against"
		: undefined;
}

function isNeeded({ os, cpu, inBundle }: LockedPackage): boolean {
	return inBundle !== true && allows(os, process.platform) && allows(cpu, process.arch);
}

/** Reads a package's list of platforms as npm does: `!name` excludes one. */
function allows(list: readonly string[] | undefined, own: string): boolean {
	if (list === undefined || list.length === 0 || list.includes("any")) return true;
	if (list.includes(`!${own}`)) return false;
	return list.includes(own) || list.every((one) => one.startsWith("!"));
}

function json(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Text that is not JSON names no packages.
		return undefined;
	}
}
