import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/** A package whose code is inside of ours. */
export interface BundledPackage {
	readonly name: string;
	readonly version: string;
	/** An SPDX expression. */
	readonly license: string;
	/** The texts of its licence and notice files, as they are in the package. */
	readonly texts: readonly string[];
}

/** The packages that bundled modules come from, by name and version. @throws Error for one that does not say its licence */
export async function bundledPackages(modules: readonly string[]): Promise<readonly BundledPackage[]> {
	const folders = new Set(modules.flatMap((path) => PACKAGE_FOLDER.exec(path)?.[0] ?? []));
	const packages = await Promise.all([...folders].sort().map(readPackage));
	const byId = new Map(packages.map((found) => [`${found.name}@${found.version}`, found]));
	return [...byId.keys()].sort().flatMap((id) => byId.get(id) ?? []);
}

const PACKAGE_FOLDER = /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

async function readPackage(folder: string): Promise<BundledPackage> {
	const { name, version, license } = Manifest.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
	if (license === undefined) throw new Error(`${name} ${version} does not say its licence in package.json`);
	const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).sort();
	return { name, version, license, texts: await Promise.all(files.map((file) => readFile(join(folder, file), "utf8"))) };
}

/** All licences, to read. */
export function licencesText(packages: readonly BundledPackage[]): string {
	const parts = packages.map(({ name, version, license, texts }) =>
		[`${name} ${version} (${license})`, ...texts.map((text) => text.replaceAll("\r\n", "\n").trim())].join("\n\n"),
	);
	return `XWorkmate contains the code of these packages.\n\n${parts.join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}

/** The software bill of materials, CycloneDX 1.6. It has no time and no serial number, so that the same packages give the same bytes. */
export function billOfMaterials(version: string, packages: readonly BundledPackage[]): string {
	const components = packages.map((found) => ({
		type: "library",
		"bom-ref": packageUrl(found),
		name: found.name,
		version: found.version,
		licenses: [{ expression: found.license }],
		purl: packageUrl(found),
	}));
	const component = { type: "application", "bom-ref": `pkg:npm/xworkmate@${version}`, name: "xworkmate", version };
	return `${JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component }, components }, undefined, "\t")}\n`;
}

const packageUrl = ({ name, version }: BundledPackage) => `pkg:npm/${name.replace("@", "%40")}@${version}`;
