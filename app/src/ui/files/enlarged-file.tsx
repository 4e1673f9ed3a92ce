import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { previewKind } from "../text/preview-kind.ts";
import { arrowSteps } from "./arrow-steps.ts";
import type { FilePlace } from "./file-order.ts";
import { PreviewBody } from "./preview-body.tsx";
import { usePreviewedFile } from "./previewed-file.ts";

interface EnlargedFileProps {
	readonly threadId: string;
	/** The files that can be enlarged, in the panel's order. */
	readonly places: readonly FilePlace[];
	/** The index of the file that is shown. */
	readonly at: number;
	/** The file at the index `at`. */
	readonly place: FilePlace;
	show(place: FilePlace): void;
	close(): void;
}

/**
 * One file at the window's size, with buttons for the thread's next and previous file. At the end of the list, a button does nothing but
 * stays enabled, because a disabled button would lose the focus.
 */
export function EnlargedFile({ threadId, places, at, place, show, close }: EnlargedFileProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => dialog.current?.showModal(), []);
	const previewed = usePreviewedFile(threadId, place);
	const { name, url } = previewed;
	// biome-ignore lint/correctness/useExhaustiveDependencies: another file replaces the element that may have had the focus
	useEffect(() => {
		if (document.activeElement === document.body) dialog.current?.focus();
	}, [url]);
	const stepTo = (index: number) => {
		const to = places[index];
		return to === undefined ? undefined : () => show(to);
	};
	const [previous, next] = [stepTo(at - 1), stepTo(at + 1)];
	return (
		<dialog ref={dialog} className="lightbox" tabIndex={-1} aria-label={name} onClose={close} onKeyDown={arrowSteps(previous, next)}>
			<header className="bar">
				<span className="strong cut">{name}</span>
				{/* Screen readers can't reach the page's live region while a dialog is open, so the dialog has its own. */}
				<p role="status" className="muted num">
					<span className="vh">{name}, </span>
					{fill(words.files.place, { at: at + 1, all: places.length })}
				</p>
				<span className="grow" />
				<StepButton icon={ChevronLeft} label={words.files.previous} step={previous} />
				<StepButton icon={ChevronRight} label={words.files.next} step={next} />
				<button
					type="button"
					className="ib"
					aria-label={words.files.closeZoom}
					title={words.files.closeZoom}
					onClick={() => dialog.current?.close()}
				>
					<Icon of={X} />
				</button>
			</header>
			<div className="lightbox-body" key={url}>
				<PreviewBody kind={previewKind(place.file)} {...previewed} />
			</div>
		</dialog>
	);
}

interface StepButtonProps {
	readonly icon: typeof X;
	readonly label: string;
	readonly step: (() => void) | undefined;
}

function StepButton({ icon, label, step }: StepButtonProps) {
	return (
		<button type="button" className="ib" aria-label={label} title={label} aria-disabled={step === undefined} onClick={step}>
			<Icon of={icon} />
		</button>
	);
}
