import { builtinModules } from "node:module";
import type { Plugin } from "rolldown";

/** An import of a part of Node, as the bundler writes it: a line of its own, with `*`, a default, names, or a default and names. */
const IMPORT = /^import (?:\* as ([\w$]+)|([\w$]+)|(?:([\w$]+), )?\{([^}]*)\}) from "([\w:/]+)";$/gm;

/**
 * Lets programs take the parts of Node from the process instead of importing them. An import makes a module of each, which reads all that
 * it has, also what Node would have loaded on its first use: with `node:http`, the whole of `fetch`. That was a twentieth of a start.
 */
export function builtinParts(): Plugin {
	return { name: "builtin-parts", renderChunk: takenFromProcess };
}

/** The code of a program, with its imports of parts of Node replaced. */
export function takenFromProcess(code: string): string {
	return code.replaceAll(IMPORT, (line, all?: string, whole?: string, main?: string, names?: string, module = "") => {
		if (!module.startsWith("node:") && !builtinModules.includes(module)) return line;
		// A library may call a variable of its own `process`.
		const taken = `globalThis.process.getBuiltinModule("${module}")`;
		const parts = (names ?? "").split(",").flatMap((part) => partOf(part.trim()));
		const mains = parts.flatMap(([name, local]) => (name === "default" ? [local] : []));
		const others = parts.flatMap(([name, local]) => (name === "default" ? [] : [name === local ? name : `${name}: ${local}`]));
		const wholes = [all, whole, main, ...mains].flatMap((name) => (name === undefined ? [] : [`${name} = ${taken}`]));
		return `const ${[...wholes, ...(others.length === 0 ? [] : [`{ ${others.join(", ")} } = ${taken}`])].join(", ")};`;
	});
}

function partOf(part: string): readonly (readonly [name: string, local: string])[] {
	const [name = "", local = name] = part.split(" as ");
	return name === "" ? [] : [[name, local]];
}
