import { stat } from "node:fs/promises";
import type { EffectiveSetting, ProviderCapability } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { Finding } from "../api/ui-api.ts";
import { commandLine } from "../text/command-line.ts";

/**
 * Settings in effect that name what does not exist: the default agent, and project folders.
 * @param isHere false for a bridge elsewhere, whose folders can't be examined
 */
export async function settingFindings(
	settings: readonly Pick<EffectiveSetting, "key" | "value">[],
	providers: readonly Pick<ProviderCapability, "providerId">[],
	isHere: boolean,
): Promise<readonly Finding[]> {
	const inEffect = (wanted: string) => settings.find(({ key }) => key === wanted)?.value;
	const folders = inEffect("allowedRoots");
	const examined = isHere && Array.isArray(folders) ? await Promise.all(folders.map(folderFinding)) : [];
	return [...agentFinding(inEffect("defaultProvider"), providers), ...examined.flatMap((finding) => finding ?? [])];
}

function agentFinding(providerId: EffectiveSetting["value"], providers: readonly Pick<ProviderCapability, "providerId">[]): Finding[] {
	if (typeof providerId !== "string" || providers.some((provider) => provider.providerId === providerId)) return [];
	const message = `The default agent is ${providerId}, but there is no agent with this id.`;
	return [
		{ about: "default agent", state: "problem", message, fix: `Set another one: ${commandLine("config set defaultProvider AGENT")}` },
	];
}

/** A note, because the folder may be on a disk that is connected only now and then. */
async function folderFinding(path: string): Promise<Finding | undefined> {
	const about = { about: "project folder", state: "note" } as const;
	const fix = "Create the folder, or remove it under Settings > Project folders (allowedRoots).";
	try {
		return (await stat(path)).isDirectory() ? undefined : { ...about, message: `${path} is not a folder.`, fix };
	} catch (error) {
		return systemErrorCode(error) === "ENOENT" ? { ...about, message: `${path} does not exist.`, fix } : undefined;
	}
}
