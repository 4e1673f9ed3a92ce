import { Folder } from "lucide-react";
import { useRef, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/setting-form-words.ts";
import { Icon } from "../components/icon.tsx";
import { visibleName } from "../text/visible-text.ts";
import type { FieldProps } from "./setting-editor.tsx";

/** Folders: each with a button to remove it, and a field to add one by its path. */
export function FolderListField({ row, id, describedBy, isBusy, save }: FieldProps) {
	const folders = Array.isArray(row.value) ? row.value : [];
	const [path, setPath] = useState("");
	const field = useRef<HTMLInputElement>(null);
	const add = async () => {
		if (path.trim() === "" || !(await save([...folders.filter((folder) => folder !== path.trim()), path.trim()]))) return;
		setPath("");
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
					void add();
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
					value={path}
					onChange={(event) => setPath(event.target.value)}
				/>
				<button type="submit" className="btn" aria-disabled={isBusy || path.trim() === ""}>
					{words.add}
				</button>
			</form>
			<p className="hint">{words.addHint}</p>
		</>
	);
}
