/** How a command is typed in a checkout, and how where the package is installed. */
const WORDS = [
	["npm run -s xworkmate -- ", "xworkmate "],
	["npm start", "xworkmate start"],
] as const;

/** How programs name commands: as they are typed in a checkout, as the sources do, or where the package is installed. */
export type SpokenWords = "checkout" | "installed";

/** The words of a source as an installed package says them. */
function asInstalled(text: string): string {
	return WORDS.reduce((said, [typed, installed]) => said.replaceAll(typed, installed), text);
}

/** A plugin for the programs and the page, which tell people what to type. */
export function installedWords() {
	return {
		name: "installed-words",
		transform: (code: string, id: string) => (id.includes("node_modules") ? null : asInstalled(code)),
		transformIndexHtml: { order: "pre" as const, handler: asInstalled },
	};
}
