package catalogue

import (
	"regexp"
	"strings"
	"unicode"
)

// generic words name the kind of module or connect words, in the languages that people write. They are never part of
// the product's name, and they may precede the vendor's name: "Karta pamięci SANDISK".
var generic = wordSet(
	"microsd microsdhc microsdxc microsdcard microsdhccard microsdxccard sd sdhc sdxc sdcard hc xc tf usb",
	"cf compactflash",
	"card cards memorycard memory storage flash flashdisk disk key drive drives flashdrive pendrive stick sticks mem",
	"device devices medium slot mass emmc",
	"the of and with by from for a an my",
	"karte karten speicherkarte speicherkarten speicher usbstick speicherstick laufwerk sdkarte microsdkarte",
	"mit und für fuer ohne von",
	"carte cartes mémoire memoire clé cle clef de la le avec et pour en des",
	"tarjeta tarjetas memoria memorias con y del para sin",
	"scheda schede chiavetta chiavette penna di da e per",
	"cartão cartões memória com do sem",
	"geheugenkaart geheugenkaartje kaart geheugen geheugenstick met voor van",
	"karta karty kartu karte pamięci pamięć paměťová paměťové pametova pamäťová paměti paměť pamet z do dla",
	"lecteur lecteurs unità unita unidad unidade flashgeheugen minne minnepenn pennetta",
	"карта карты карту карточка картка памяти память памет пам яті флешка флэшка флеш флэш флешкарта накопитель диск",
	"на с для без сд накопичувач",
	"memorijska kartica memorijske memorije", "minneskort minnekort hukommelseskort kort kortet minne",
	"muistikortti muistitikku memóriakártya kártya",
	"card ul cardul memorie cu", "κάρτα μνήμης", "hafıza hafiza kart kartı karti bellek", "thẻ nhớ nho",
	"memori kartu การ์ด การ์ดหน่วยความจำ เมมโมรี่การ์ด เมโมรี่การ์ด เมมโมรี่",
	"بطاقة بطاقه ذاكرة الذاكرة ذاكره كارت كرت ميموري رام فلاشة فلاش من",   // Arabic
	"کارت حافظه مموری رم فلش مدل ظرفیت", "כרטיס זיכרון זכרון דיסק און קי", // Persian, Hebrew
	"मेमोरी मेमरी कार्ड पेन ड्राइव", "muistikortin minneskortet hukommelseskortet geheugenkaarten", // Hindi
)

// sales words surround a name without being part of it. They say how fast a card is (the rates themselves count), how
// it is packed, that it is new and for sale, and what is on it. UHS-I is among them because every card without UHS-II
// has it.
var sales = wordSet("up to uhs uhsi read write reads writes reading writing speed speeds transfer",
	"class grade rated sdr12 sdr25 sdr50 sdr104 ddr50",
	"bis zu lesen schreiben jusqu à lecture écriture vitesse allant hasta velocidad lectura escritura",
	"lezen schrijven tot upp till op til läs skriv hastighet jopa čtení zápis rychlost prędkość szybkość",
	"fino a velocità lettura scrittura até velocidade leitura gravação escrita do odczyt zapis",
	"чтение чтения запись записи скорость до klasse classe clase klasa класс",
	"new genuine original originale oryginalna official series serie recent latest newest brand sealed used",
	"online shop store buy order kaufen bestellen acheter comprar comprare kopen köp kup kupić prix precio prezzo price",
	"fnac tesco argos currys walmart ebay mediamarkt elgiganten darty boulanger cdiscount ldlc pccomponentes worten",
	"coolblue alza czc datart emag flipkart lazada shopee",
	"packaging package standard retail bulk blister boxed ovp ffp amazon's limited kit crb cqx cvl 8p 9p",
	"för inspelning recording ram android imaging tablet tablets smartphone smartphones ratings achat ipec discount "+
		"bei prijzen accesorios",
	"manufacturer number mpn pid sku labeled labelled marked",
	"adapter adaptor incluido incluído inclus incluso included inkl neu neuf nouvelle nuevo nuovo novo",
	"новый новая original оригинал оригинальная",
	"jual murah abis baru asli ori resmi garansi chính hãng promo oferta barato barata vendo продам куплю cheap",
	"fat fat16 fat32 exfat ntfs ext4 formatted unformatted blank empty leer vacía vide vuota",
)

// wordSet returns the words and their spellings by keyboards and web addresses that lack accents: without accents
// ("memoria"), and without the accented letters ("cart-o de mem-ria" and "carto de memria").
func wordSet(lines ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(strings.Join(lines, " ")) {
		set[w] = true
		if plain := accents.Replace(w); plain != w {
			set[plain] = true
			if lost := accentless.ReplaceAllString(w, ""); len(lost) > 3 && latin.MatchString(w) {
				set[lost] = true
			}
		}
	}
	return set
}

var (
	accents = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ã", "a", "ä", "a", "é", "e", "è", "e", "ê", "e",
		"ě", "e",
		"ę", "e", "í", "i", "ı", "i", "ó", "o", "õ", "o", "ô", "o", "ö", "o", "ü", "u", "ú", "u", "ç", "c", "ć", "c",
		"ť", "t", "ň", "n", "ř", "r", "ñ", "n", "ł", "l", "ś", "s", "ż", "z", "ẻ", "e", "ớ", "o")
	accentless = regexp.MustCompile(`[^a-z]`)
	latin      = regexp.MustCompile(`^\p{Latin}+$`)
)

// translated are brands and lines in other scripts that write spaces between words.
var translated = map[string]string{
	"самсунг": "samsung", "сандиск": "sandisk", "кингстон": "kingston", "трансенд": "transcend", "тошиба": "toshiba",
	"сони": "sony", "лексар": "lexar", "сандіск": "sandisk", "кінгстон": "kingston",
	"سامسونغ": "samsung", "سامسونج": "samsung", "سامسونگ": "samsung", "سانديسك": "sandisk", "سندیسک": "sandisk",
	"كينجستون": "kingston", "كينغستون": "kingston", "کینگستون": "kingston", "توشيبا": "toshiba", "توشیبا": "toshiba",
	"سوني": "sony", "سونی": "sony", "ترانسند": "transcend", "ترنسند": "transcend", "ليكسار": "lexar", "لکسار": "lexar",
	"الترا": "ultra", "اولترا": "ultra",
	"סמסונג": "samsung", "סנדיסק": "sandisk", "קינגסטון": "kingston", "טושיבה": "toshiba", "סוני": "sony",
	"सैमसंग": "samsung", "सैनडिस्क": "sandisk", "किंग्स्टन": "kingston", "ซัมซุง": "samsung", "แซนดิสก์": "sandisk",
	"คิงส์ตัน": "kingston",
}

// untangled puts spaces around words of scripts that write none: kinds of modules, and brands and lines as vendors and
// shops spell them. Longer spellings come first.
var untangled = strings.NewReplacer(
	"u盘", " usb stick ", "优盘", " usb stick ", "隨身碟", " usb stick ", "随身碟", " usb stick ", "闪存盘", " usb stick ",
	"usbメモリー", " usb stick ", "usbメモリ", " usb stick ", "usb 메모리", " usb stick ", "usb메모리", " usb stick ",
	"存储卡", " card ", "储存卡", " card ", "内存卡", " card ", "記憶卡", " card ", "记忆卡", " card ", "闪存卡", " card ",
	"储卡", " card ", "存儲卡", " card ", "卡", " card ",
	"メモリーカード", " card ", "メモリカード", " card ", "カード", " card ", "メモリー", " memory ", "メモリ", " memory ",
	"메모리카드", " card ", "메모리", " memory ", "카드", " card ",
	"sdアダプター付き", " ", "sdアダプタ付き", " ", "アダプター付き", " ", "アダプタ付き", " ", "アダプタ付", " ",
	"마이크로sd", " microsd", "마이크로 sd", " microsd", "マイクロsd", " microsd", "マイクロ sd", " microsd",
	"海外パッケージ品", " ", "海外パッケージ", " ", "国内正規品", " ", "正規品", " ", "並行輸入品", " ", "バルク品", " ",
	"フラストレーションフリーパッケージ", " ",
	"适配器", " ", "卡套", " ", "转接卡", " ",
	// uses, and words of praise in shops
	"手机", " ", "平板", " ", "相机", " ", "行车记录仪", " ", "摄像头", " ", "监控", " ", "专用", " ", "正品", " ", "原装", " ",
	"官方标配", " ", "全新", " ", "读取", " ", "读速", " ", "写速", " ", "写入", " ", "速度", " ", "支持", " ", "扩展", " ",
	"存储", " ", "内存", " ", "闪存", " ", "设备", " ",
	"対応", " ", "スマホ", " ", "スマートフォン", " ", "ドライブレコーダー", " ", "最大", " ", "読込", " ", "読取", " ", "書込", " ",
	"転送速度", " ", "超高速", " ", "高速", " ", "新品", " ", "未使用", " ", "純正", " ", "無期限保証", " ", "動作確認済", " ", "限定", " ",
	"海外リテール", " ", "リテール品", " ", "パッケージ品", " ", "用", " ",
	"정품", " ", "블랙박스", " ", "스마트폰", " ", "휴대폰", " ", "병행수입", " ", "어댑터", " ", "외장", " ", "플래시", " ", "용", " ",
	"闪迪", " sandisk ", "閃迪", " sandisk ", "サンディスク", " sandisk ", "샌디스크", " sandisk ",
	"三星", " samsung ", "サムスン", " samsung ", "삼성전자", " samsung ", "삼성", " samsung ",
	"金士顿", " kingston ", "金士頓", " kingston ", "キングストン", " kingston ", "킹스톤", " kingston ",
	"东芝", " toshiba ", "東芝", " toshiba ", "도시바", " toshiba ", "铠侠", " kioxia ", "鎧俠", " kioxia ", "キオクシア", " kioxia ",
	"创见", " transcend ", "創見", " transcend ", "トランセンド", " transcend ", "트랜센드", " transcend ",
	"雷克沙", " lexar ", "レキサー", " lexar ", "렉사", " lexar ", "索尼", " sony ", "ソニー", " sony ", "소니", " sony ",
	"シリコンパワー", " silicon power ", "广颖", " silicon power ", "廣穎", " silicon power ",
	"西部数据", " western digital ", "威刚", " adata ", "威剛", " adata ",
	"至尊超极速移动", " extreme pro ", "至尊超极速", " extreme pro ", "至尊极速移动", " extreme ", "至尊极速", " extreme ",
	"至尊高速移动", " ultra ", "至尊高速", " ultra ",
	"エクストリームプロ", " extreme pro ", "エクストリーム プロ", " extreme pro ", "エクストリーム", " extreme ", "ウルトラ", " ultra ",
	"익스트림프로", " extreme pro ", "익스트림 프로", " extreme pro ", "익스트림", " extreme ", "울트라", " ultra ",
	"高耐久", " high endurance ", "酷铄", " ultra flair ", "酷豆", " ultra fit ", "酷刃", " cruzer blade ",
	"크루저", " cruzer ", "플레어", " flair ",
)

// colours of a stick's case are no part of its name.
var colours = wordSet("black white red blue green silver grey gray orange pink purple yellow",
	"schwarz weiß rot blau grün silber noir blanc rouge bleu vert negro negra blanco rojo roja azul verde plata gris",
	"nero bianco rosso blu preto branco vermelho czarny biały czerwony niebieski zwart wit rood blauw svart vit",
	"черный чёрный белый красный синий черная белая красная синяя siyah beyaz kırmızı hitam putih merah biru",
	"黑色 白色 红色 蓝色 黒 白 赤 青 ブラック ホワイト レッド ブルー 블랙 화이트 레드 블루",
)

// reAddress matches words that are joined as in the address of a shop's or maker's page:
// "the-nho-microsd-sandisk-ultra-32gb".
var reAddress = regexp.MustCompile(`^[^\s/]*(?:[-_]+[^\s/_-]+){3,}[-_]*$`)

// spelledOut returns a text in lower case with spaces between its words.
func spelledOut(s string) string {
	s = strings.Map(simpler, s)
	if reAddress.MatchString(s) || strings.Contains(s, "_") {
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }), " ")
	}
	if strings.IndexFunc(s, isUnspaced) < 0 {
		return s
	}
	s = untangled.Replace(s)
	var spaced strings.Builder
	last := false
	for _, r := range s {
		if unspaced := isUnspaced(r); unspaced != last {
			spaced.WriteByte(' ')
			last = unspaced
		}
		spaced.WriteRune(r)
	}
	return spaced.String()
}

// simpler returns the ASCII character of a full-width one or of a digit of another script, and drops accents that are
// characters of their own.
func simpler(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		return r - '！' + '!'
	case r >= '٠' && r <= '٩':
		return r - '٠' + '0'
	case r >= '۰' && r <= '۹': // Persian
		return r - '۰' + '0'
	case r >= '०' && r <= '९': // Hindi
		return r - '०' + '0'
	case r >= 0x300 && r < 0x370:
		return -1
	}
	return r
}

func isUnspaced(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
