import type { ClaimWords } from "./claim-words.ts";

export const spanish: ClaimWords = {
	self: "he hemos yo xworkmate asistente",
	other: "tú usted ustedes él ella ellos ellas alguien quien",
	passive: "sido fue fueron está están queda quedó quedaron es son era se",
	made: "creado creada creados creadas hecho hecha añadido añadida añadidos añadidas agregado agregada actualizado actualizada actualizados actualizadas guardado guardada escrito escrita cambiado cambiada editado editada generado generada exportado subido renombrado movido movida terminado terminada completado completada finalizado finalizada listo lista corregido configurado configurada instalado quitado copiado reemplazado modificado modificada",
	acted:
		"programado programada programados programadas agendado agendada agendados planificado eliminado eliminada eliminados eliminadas borrado borrada borrados enviado enviada enviados enviadas mandado mandada notificado avisado reservado reservada reservados reservadas recordado cancelado cancelada cancelados canceladas anulado anulada pagado pagada pagados pagadas reembolsado transferido comprado comprada pedido publicado publicada publicados publicadas posteado desplegado desplegada implementado lanzado lanzada reiniciado presentado invitado confirmado confirmada fijado puesto puesta establecido establecida activado activada desactivado cerrado cerrada asignado archivado aceptado reenviado compartido compartida registrado registrada realizado realizada ejecutado ejecutada efectuado eliminó envió creó canceló programó agendó borró publicó pagó reservó actualizó añadió agregó guardó completó desplegó realizó confirmó entregado entregada",
	own: "verificado probado respaldado restaurado firmado informado verifiqué ejecuté probé respaldé restauré firmé",
	selfDone:
		"verifiqué ejecuté probé respaldé restauré firmé programé agendé creé eliminé borré envié mandé notifiqué avisé informé reservé cancelé anulé pagué publiqué desplegué actualicé añadí agregué guardé escribí cambié puse configuré compré confirmé invité activé cerré programamos creamos enviamos eliminamos reservamos",
	off: "no nunca jamás nada ningún ninguna ninguno tampoco nadie ni puedo puede pueden podemos podría podrías podríamos voy vamos va quiero quieres quiere quisiera debo debe debería falló fallado fracasó rechazado rechazada denegado denegada imposible desgraciadamente lamentablemente favor haré será serán sería enviaré crearé programaré eliminaré reservaré intenté intentado pendiente pendientes necesito necesitas",
	condition: "si cuando después antes hasta cómo qué dónde apenas aunque cuándo",
	reading: "encontrado encontré veo visto vi leído leí según indica muestra dice consta aparece",
	past: "ayer pasado pasada último última originalmente anteriormente actualmente próximo próxima normalmente antes previamente",
	text: "abajo arriba aquí continuación siguiente siguientes borrador resumen explicación ejemplo ejemplos traducción esquema comparación sugerencia sugerencias respuesta fragmento párrafo frase",
	thing:
		"recordatorio reunión cita evento alarma correo e-mail email mensaje invitación pago factura reserva ticket pedido publicación calendario agenda vuelo habitación mesa despliegue transferencia reembolso suscripción cuenta usuario notificación tarea archivo llamada",
	determiner: "el la los las un una unos unas este esta estos estas tu tus su sus mi mis nuestro nuestra cada recién",
	lead: "correctamente ya ahora también éxito todo está queda perfecto vale ok sí bien hecho muy",
	after: "el la los las un una tu tus su sus para a al en con de del mañana todos todas correctamente",
	and: "y e o",
	but: "pero sin embargo aunque así pues porque entonces",
	by: "por",
	common: "el la los las un una de del y a al en para con que lo le te se tu su ha han he hemos mañana",
	phrases:
		"ya está hecho | todo listo | ya está | está en tu calendario | está en su calendario | ya está en tu calendario | ahora está en tu calendario | está ahora en tu calendario | está en tu agenda | me he encargado | hice saber | hicimos saber | ya quedó | está en línea | ya está publicado | acabo de enviar | acabo de crear | acabo de programar | acabo de cancelar | acabo de reservar | acabo de borrar | acabo de eliminar | acabo de pagar | acabo de publicar | acabo de actualizar",
	harmless: "sin problema | sin problemas | ningún problema | no hay problema | sin errores | no solo | como pediste | como solicitaste",
	target:
		"documento informe tabla lista fila columna página sitio versión rama código script carpeta borrador nota cambio actualización comentario proyecto base servidor ajuste contacto grupo canal luz puerta paquete producto carrito formulario solicitud respuesta pregunta plan clave contraseña foto imagen vídeo video presentación copia restaurante hotel importe dinero tarifa regalo artículo ticket",
	yours: "tu tus su sus mi mis nuestro nuestra",
	told: "notificado avisado invitado informado recordado",
	place: "en desde durante entre tras cerca sobre hasta",
	team: "el la los las dos tres ambos varios",
	describing: "hecho de | hecha de | se encuentra",
};
