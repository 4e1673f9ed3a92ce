import { requiredGlobProblem } from "@xworkmate/contracts/artifact-glob";
import { FileCheck, X } from "lucide-react";
import { useState } from "react";
import { visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";

interface RequiredGlobsProps {
	readonly globs: readonly string[];
	change(globs: readonly string[]): void;
}

/** Which files must come out. One that cannot be one is told at once, not by a run that fails. */
export function RequiredGlobs({ globs, change }: RequiredGlobsProps) {
	const [text, setText] = useState("");
	const [problem, setProblem] = useState<string>();
	const add = () => {
		const glob = text.trim();
		if (glob === "") return;
		const found = glob.startsWith("/") || glob.split("/").includes("..") ? "must be relative and without '..'" : requiredGlobProblem(glob);
		setProblem(found);
		if (found !== undefined) return;
		setText("");
		if (!globs.includes(glob)) change([...globs, glob]);
	};
	return (
		<fieldset className="must" aria-label={words.composer.mustGroup}>
			<Icon of={FileCheck} small />
			<span>{words.composer.must}</span>
			{globs.map((glob) => (
				<span className="glob" key={glob}>
					<code>{visibleName(glob)}</code>
					<button
						type="button"
						className="ib"
						aria-label={fill(words.composer.mustNot, { glob: visibleName(glob) })}
						onClick={() => change(globs.filter((one) => one !== glob))}
					>
						<Icon of={X} small />
					</button>
				</span>
			))}
			<input
				className="glob-new"
				aria-label={words.composer.mustAdd}
				placeholder={words.composer.mustHint}
				maxLength={500}
				value={text}
				onChange={(event) => setText(event.target.value)}
				onBlur={add}
				onKeyDown={(event) => {
					if (event.nativeEvent.isComposing) return;
					if (event.key === "Enter" || event.key === ",") {
						event.preventDefault();
						add();
					} else if (event.key === "Backspace" && text === "") change(globs.slice(0, -1));
				}}
			/>
			{problem !== undefined && (
				<span className="st st-bad small wrap" role="alert">
					{problem}
				</span>
			)}
		</fieldset>
	);
}
