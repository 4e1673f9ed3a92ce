import type { Approval } from "@xworkmate/contracts";

/**
 * The command whose options a permission for commands covers; undefined if the command has none. Permissions for the same words differ only
 * in these options, so the command tells them apart.
 */
export function commandWithOptions({ grantScope, title }: Pick<Approval, "grantScope" | "title">): string | undefined {
	if (grantScope?.kind !== "program") return undefined;
	// The title of such a request is the prefix for its tool and the whole command.
	const command = title.slice(grantScope.tool?.length ?? 0);
	const words = command.replaceAll(/["']/g, "").split(/ +/);
	const isOfScope = grantScope.words.every((word, index) => words[index] === word);
	return isOfScope && words.some((word) => word.startsWith("-")) ? command : undefined;
}
