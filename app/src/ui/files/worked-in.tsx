import { words } from "../../strings/interface.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { visibleName } from "../text/visible-text.ts";

/** The folder that may contain files of an interrupted run. */
export function WorkedIn({ folder }: { readonly folder: string }) {
	return (
		<div>
			<p className="say">{words.files.workedIn}</p>
			<div className="copyline sentence">
				<code className="wrap grow">{visibleName(folder)}</code>
				<CopyButton text={folder} label={words.files.copyFolder} word={words.copy.copy} />
			</div>
		</div>
	);
}
