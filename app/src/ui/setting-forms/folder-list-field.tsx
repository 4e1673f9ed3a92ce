import { Folder } from "lucide-react";
import { useId, useRef, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { Icon } from "../components/icon.tsx";
import { visibleName } from "../text/visible-text.ts";
import { FolderBrowser } from "./folder-browser.tsx";
import type { FieldProps } from "./setting-editor.tsx";

/** A list of folders, each with a button to remove it, and a field and a folder browser to add one. */
export function FolderListField({ row, id, describedBy, isWrong, isBusy, save }: FieldProps) {
	const folders = Array.isArray(row.value) ? row.value : [];
	const [path, setPath] = useState("");
	const field = useRef<HTMLInputElement>(null);
	const [isBrowsing, setBrowsing] = useState(false);
	const browse = useRef<HTMLButtonElement>(null);
	const browserId = useId();
	const add = async (added: string) => {
		if (added === "" || !(await save([...folders.filter((folder) => folder !== added), added]))) return false;
		return true;
	};
	const closeBrowser = () => {
		setBrowsing(false);
		browse.current?.focus();
	};
	const remove = async (removed: string) => {
		const left = folders.filter((folder) => folder !== removed);
		if (await save(left.length === 0 ? undefined : left)) field.current?.focus();
	};
	return (
		<>
			{folders.length === 0 && <p className="muted">{words.none}</p>}
			<ul className="folder-rows">
				{folders.map((folder) => (
					<li key={folder}>
						<Icon of={Folder} small />
						<code className="grow wrap">{visibleName(folder)}</code>
						<button
							type="button"
							className="btn quiet"
							aria-label={fill(words.removeOf, { path: visibleName(folder) })}
							aria-disabled={isBusy}
							onClick={() => void (isBusy || remove(folder))}
						>
							{words.remove}
						</button>
					</li>
				))}
			</ul>
			<form
				className="pair"
				onSubmit={(event) => {
					event.preventDefault();
					void add(path.trim()).then((isAdded) => isAdded && setPath(""));
				}}
			>
				<input
					ref={field}
					className="in"
					id={id}
					spellCheck={false}
					autoComplete="off"
					placeholder={words.addLabel}
					aria-describedby={describedBy}
					aria-invalid={isWrong}
					value={path}
					onChange={(event) => setPath(event.target.value)}
				/>
				<button type="submit" className="btn" aria-disabled={isBusy || path.trim() === ""}>
					{words.add}
				</button>
				<button
					type="button"
					className="btn"
					ref={browse}
					aria-expanded={isBrowsing}
					aria-controls={browserId}
					onClick={() => setBrowsing((is) => !is)}
				>
					{words.browse}
				</button>
			</form>
			{isBrowsing && (
				<FolderBrowser
					id={browserId}
					add={(chosen) => void (isBusy || add(chosen).then((isAdded) => isAdded && closeBrowser()))}
					close={closeBrowser}
				/>
			)}
			<p className="hint">{words.addHint}</p>
		</>
	);
}
