import { X } from "lucide-react";
import { useRef, useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";

interface ImagePreviewProps {
	readonly url: string;
	readonly name: string;
	onError(): void;
}

/** An image at the panel's width. A click shows it at the window's size, a second click at its own size. */
export function ImagePreview({ url, name, onError }: ImagePreviewProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const [isOpen, setOpen] = useState(false);
	const [isWhole, setWhole] = useState(true);
	const show = () => {
		setOpen(true);
		setWhole(true);
		dialog.current?.showModal();
	};
	return (
		<div className="checker">
			<figure>
				<button type="button" className="zoom" aria-label={fill(words.files.zoom, { name })} onClick={show}>
					<img className="preview-image" src={url} alt={name} onError={onError} />
				</button>
			</figure>
			<dialog ref={dialog} className="lightbox" aria-label={name} onClose={() => setOpen(false)}>
				<form method="dialog">
					<button type="submit" className="ib" aria-label={words.files.closeZoom} title={words.files.closeZoom}>
						<Icon of={X} />
					</button>
				</form>
				{isOpen && (
					<button
						type="button"
						className={isWhole ? "whole" : ""}
						aria-pressed={!isWhole}
						aria-label={words.files.ownSize}
						onClick={() => setWhole(!isWhole)}
					>
						<img src={url} alt={name} />
					</button>
				)}
			</dialog>
		</div>
	);
}
